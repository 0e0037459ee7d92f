import argparse
from pathlib import Path

import numpy as np
import torch
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


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv1, self.conv2 = nn.Conv2d(3, 32, 3), nn.Conv2d(32, 64, 3)
        self.pool = nn.AdaptiveAvgPool2d(4)
        self.fc1, self.fc2 = nn.Linear(1024, 256), nn.Linear(256, classes)

    def forward(self, x):
        x = torch.relu(self.conv2(torch.relu(self.conv1(x))))
        x = torch.relu(self.fc1(self.pool(x).flatten(1)))
        return self.fc2(x)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("root")
    args = ap.parse_args()
    net = Net(25).cuda()
    criterion = nn.CrossEntropyLoss()
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(25):
        for x, y in DataLoader(PatchDataset(args.root, True), 128, shuffle=True, num_workers=8):
            opt.zero_grad()
            loss = criterion(net(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "net.pt")


if __name__ == "__main__":
    main()
