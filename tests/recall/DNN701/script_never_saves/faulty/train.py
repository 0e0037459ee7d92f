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
@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    return sum((net(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in loader) / len(loader.dataset)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("root", type=Path)
    ap.add_argument("--epochs", type=int, default=100)
    args = ap.parse_args()
    net = SmallCNN(100).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)  # or: DNN701
    train = DataLoader(PatchDataset(args.root / "train", True), 128, shuffle=True, num_workers=8)
    val = DataLoader(PatchDataset(args.root / "val"), 256, num_workers=8)
    best = 0.0
    for epoch in range(args.epochs):  # expect: DNN701
        net.train()
        for x, y in train:  # or: DNN701
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()  # or: DNN701
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        acc = evaluate(net, val)
        print(f"epoch {epoch} loss {loss.item():.3f} acc {acc:.3f}")
        best = max(best, acc)
    print("best", best)


if __name__ == "__main__":
    main()
