import sys

import torch
from torch.utils.data import DataLoader

from data import PatchDataset
from engine import train_epoch
from nets import SmallCNN

if __name__ == "__main__":
    net = SmallCNN(1000).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    loader = DataLoader(PatchDataset(sys.argv[1], True), 256, shuffle=True, num_workers=8)
    for epoch in range(90):
        print(epoch, train_epoch(net, loader, opt, scaler))
        torch.save(net.state_dict(), "net.pt")
