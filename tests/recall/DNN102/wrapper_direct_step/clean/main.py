import argparse
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from engine import train_one_epoch
from utils.optim import LossScaler


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


def get_args_parser():
    p = argparse.ArgumentParser("patch classification", add_help=True)
    p.add_argument("--data-path", required=True)
    p.add_argument("--epochs", default=90, type=int)
    p.add_argument("--clip-grad", type=float, default=None)
    return p


if __name__ == "__main__":
    args = get_args_parser().parse_args()
    loader = DataLoader(PatchDataset(args.data_path), batch_size=64, shuffle=True, num_workers=10, pin_memory=True)
    model = SmallCNN(100).cuda()
    opt = torch.optim.SGD(model.parameters(), 0.05, momentum=0.9)
    scaler = LossScaler()
    for ep in range(args.epochs):
        train_one_epoch(model, nn.CrossEntropyLoss(), loader, opt, scaler, ep, args.clip_grad)
        torch.save({"model": model.state_dict(), "optimizer": opt.state_dict(), "scaler": scaler.state_dict(), "epoch": ep}, "last.pth")
