import sys

import torch
from torch.utils.data import DataLoader

from data import SegPairs
from engine import train_epoch
from nets import MiniUNet
from utils.scaler import NativeScaler

if __name__ == "__main__":
    net = MiniUNet(21).cuda()
    loader = DataLoader(SegPairs(*sys.argv[1:3]), 16, shuffle=True, num_workers=8)
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=50 * len(loader))
    scaler = NativeScaler()
    for epoch in range(50):
        print(epoch, train_epoch(net, loader, opt, sched, scaler))
        torch.save(net.state_dict(), "unet.pt")
