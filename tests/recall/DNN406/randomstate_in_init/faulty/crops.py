import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class RandomCrops(Dataset):
    def __init__(self, root, size=64, seed=0):
        self.paths = sorted(Path(root).glob("*.npy"))
        self.size = size
        self.rng = np.random.RandomState(seed)  # expect: DNN406

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        image = np.load(self.paths[i])
        h, w = image.shape[:2]
        top, left = self.rng.randint(0, h - self.size), self.rng.randint(0, w - self.size)  # or: DNN406
        crop = image[top : top + self.size, left : left + self.size]
        return torch.from_numpy(crop.copy()).permute(2, 0, 1).float() / 255, int(self.paths[i].stem.split("_")[1])


class SmallCNN(nn.Module):
    def __init__(self, num_classes=10, width=64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(1),
        )
        self.fc = nn.Linear(2 * width, num_classes)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


if __name__ == "__main__":
    net = SmallCNN(20).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9)
    loader = DataLoader(RandomCrops(sys.argv[1]), 64, shuffle=True, num_workers=8)  # or: DNN406
    for epoch in range(40):
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "crops.pt")
