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
def train(model, loader, optimizer, epoch):
    model.train()
    for batch_idx, (data, target) in enumerate(loader):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(data.cuda()), target.cuda())
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if batch_idx % 50 == 0:
            print(f"Train Epoch: {epoch} [{batch_idx}] Loss: {loss.item():.6f}")


def test(model, loader):
    model.eval()
    correct, total_loss = 0, 0.0
    for data, target in loader:  # or: DNN502
        data, target = data.cuda(), target.cuda()
        output = model(data)  # expect: DNN502
        total_loss += F.cross_entropy(output, target, reduction="sum").item()
        correct += (output.argmax(1) == target).sum().item()
    n = len(loader.dataset)
    print(f"Test set: loss {total_loss / n:.4f} accuracy {correct}/{n}")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("root", type=Path)
    args = ap.parse_args()
    model = SmallCNN().cuda()
    opt = torch.optim.Adadelta(model.parameters(), lr=1.0)
    train_loader = DataLoader(PatchDataset(args.root / "train", True), 64, shuffle=True, num_workers=8)
    test_loader = DataLoader(PatchDataset(args.root / "test"), 512, num_workers=8)
    for epoch in range(1, 15):
        train(model, train_loader, opt, epoch)
        test(model, test_loader)
    torch.save(model.state_dict(), "cnn.pt")


if __name__ == "__main__":
    main()
