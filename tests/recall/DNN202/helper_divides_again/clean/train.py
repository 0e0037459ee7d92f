import sys

import torch
from torch.utils.data import DataLoader

from data import SegPairs
from engine import train_one_epoch
from nets import MiniUNet

if __name__ == "__main__":
    net = MiniUNet(19).cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    loader = DataLoader(SegPairs(sys.argv[1], sys.argv[2], 512), 4, shuffle=True, num_workers=8)
    for epoch in range(80):
        print(epoch, train_one_epoch(net, loader, opt, scaler))
        torch.save(net.state_dict(), "seg.pt")
