import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PatchDataset
from nets import SmallCNN
from utils.saver import Saver


def main(root):
    net = SmallCNN(40).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9)
    save = Saver("runs/patches")
    for epoch in range(40):
        net.train()
        for x, y in DataLoader(PatchDataset(root, True), 128, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        save(epoch, net, opt)  # or: DNN706


if __name__ == "__main__":
    main(sys.argv[1])
