import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


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
def train_epoch(net, loader, optimizer, accum_steps, device):
    net.train()
    optimizer.zero_grad()
    num = len(loader)
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        loss = F.cross_entropy(net(x), y)
        loss.backward()  # expect: DNN201
        if (i + 1) % accum_steps == 0 or i + 1 == num:
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        if i % 50 == 0:
            print(f"{i}/{num} {loss.item():.3f}")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    ap.add_argument("--accum", type=int, default=8)
    opt = ap.parse_args()
    model = SmallCNN().cuda()
    sgd = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    data = DataLoader(PatchDataset(opt.root), 32, shuffle=True, num_workers=8)
    for epoch in range(60):
        train_epoch(model, data, sgd, opt.accum, "cuda")
        torch.save(model.state_dict(), "net.pt")
