import torch
from torch.utils.data import DataLoader

from data import PatchDataset
from engine import train_epoch
from nets import SmallCNN
from utils.grad import GradAccumulator

if __name__ == "__main__":
    cnn = SmallCNN(100).cuda()
    acc = GradAccumulator(cnn, torch.optim.SGD(cnn.parameters(), 0.1, momentum=0.9), parts=4, max_norm=2.0)
    for epoch in range(60):
        print(epoch, train_epoch(cnn, DataLoader(PatchDataset("patches"), 64, shuffle=True, num_workers=8), acc))
        torch.save(cnn.state_dict(), "cnn.pt")
