import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import SegPairs
from nets import MiniUNet
from utils.amp import amp_step


def main(images, masks):
    net = MiniUNet(9).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=5e-4)
    for epoch in range(30):
        net.train()
        for image, mask in DataLoader(SegPairs(images, masks), 8, shuffle=True, num_workers=8):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(net(image.cuda()), mask.cuda())
            amp_step(loss, opt, net.parameters())  # or: DNN517
        print(epoch, loss.item())
        torch.save(net.state_dict(), "seg.pt")


if __name__ == "__main__":
    main(*sys.argv[1:3])
