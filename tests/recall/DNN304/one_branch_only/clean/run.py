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
def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("root")
    p.add_argument("--amp", action="store_true")
    p.add_argument("--clip", type=float, default=1.0, help="max gradient norm")
    return p.parse_args()


def main():
    args = get_args()
    net = SmallCNN(50).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda") if args.amp else None
    loader = DataLoader(PatchDataset(args.root), 128, shuffle=True, num_workers=8)
    for epoch in range(30):
        for x, y in loader:
            x, y = x.cuda(), y.cuda()
            optimizer.zero_grad()
            if scaler is not None:
                with torch.autocast("cuda", dtype=torch.float16):
                    loss = F.cross_entropy(net(x), y)
                scaler.scale(loss).backward()
                scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(net.parameters(), args.clip)
                scaler.step(optimizer)
                scaler.update()
            else:
                loss = F.cross_entropy(net(x), y)
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), args.clip)
                optimizer.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "net.pt")


if __name__ == "__main__":
    main()
