import sys

import torch
from torch.utils.data import DataLoader

from data import PatchDataset
from engine import train_one_epoch
from nets import SmallCNN

if __name__ == "__main__":
    cnn = SmallCNN(100).cuda()
    sgd = torch.optim.SGD(cnn.parameters(), 0.1, momentum=0.9)
    loader = DataLoader(PatchDataset(sys.argv[1]), 256, shuffle=True, num_workers=8, pin_memory=True)
    for ep in range(60):
        train_one_epoch(cnn, loader, sgd, ep)
        torch.save(cnn.state_dict(), "cnn.pt")
