import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import SegPairs
from nets import MiniUNet
from utils.ckpt import try_resume, write


def main(images, masks):
    net = MiniUNet(2).cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    start = try_resume("unet.pt", net, opt, "cuda")
    for epoch in range(start, 50):
        net.train()
        for image, mask in DataLoader(SegPairs(images, masks), 8, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = F.cross_entropy(net(image.cuda()), mask.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        write("unet.pt", net, opt, epoch)


if __name__ == "__main__":
    main(*sys.argv[1:3])
