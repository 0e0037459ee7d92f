import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


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


def main(root):
    device = torch.device("cuda")
    net = SmallCNN(num_classes=200, width=128).to(device)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=100)
    loader = DataLoader(PatchDataset(root, augment=True), batch_size=256, shuffle=True, num_workers=8, pin_memory=True)
    for epoch in range(100):
        net.train()
        for images, labels in loader:
            images, labels = images.to(device, non_blocking=True), labels.to(device, non_blocking=True)
            optimizer.zero_grad()
            loss = criterion(net(images), labels)
            loss.backward()
            optimizer.step()
        scheduler.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")
    torch.save(net.state_dict(), "cnn.pt")


if __name__ == "__main__":
    main(sys.argv[1])
