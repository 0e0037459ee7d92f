import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PatchDataset
from nets import SmallCNN
from utils.checkpoint import resume, save


def main(root):
    net = SmallCNN(100).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    start = resume("last.pt", net, opt, scaler)
    loader = DataLoader(PatchDataset(root, True), 128, shuffle=True, num_workers=8)
    for epoch in range(start, 90):
        for x, y in loader:
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(net(x.cuda()), y.cuda())
            scaler.scale(loss).backward()
            scaler.unscale_(opt)
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
        print(epoch, loss.item())
        save("last.pt", net, opt, scaler, epoch)


if __name__ == "__main__":
    main(sys.argv[1])
