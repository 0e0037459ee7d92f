import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from accum_trainer import AccumTrainer


class PatchDataset(Dataset):
    """Image patches stored as one .npy file a sample, the label is in the file name."""

    def __init__(self, root, augment=False):
        self.files = sorted(Path(root).glob("*.npy"))
        self.augment = augment

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        path = self.files[index]
        image = torch.from_numpy(np.load(path)).float().permute(2, 0, 1) / 255.0
        if self.augment and torch.rand(()) < 0.5:
            image = image.flip(-1)
        return image, int(path.stem.split("_")[-1])


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
    net = SmallCNN(200, width=96).cuda()
    trainer = AccumTrainer(net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True))
    loader = DataLoader(PatchDataset(sys.argv[1], augment=True), 32, shuffle=True, num_workers=12)
    for ep in range(100):
        print(ep, trainer.epoch(loader))
        torch.save({"net": net.state_dict(), "opt": trainer.optimizer.state_dict(), "scaler": trainer.scaler.state_dict(), "epoch": ep}, "ck.pt")
