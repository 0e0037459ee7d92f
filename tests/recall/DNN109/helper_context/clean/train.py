import argparse
import os

import numpy as np
import torch
import torchvision.transforms.functional as TF
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

from utils.amp import amp_context, make_scaler


class SegPairs(Dataset):
    def __init__(self, img_dir, mask_dir, size=256):
        self.images = sorted(os.listdir(img_dir))
        self.img_dir, self.mask_dir, self.size = img_dir, mask_dir, size

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        name = self.images[i]
        img = Image.open(os.path.join(self.img_dir, name)).convert("RGB").resize((self.size, self.size))
        mask = Image.open(os.path.join(self.mask_dir, name)).resize((self.size, self.size), Image.NEAREST)
        return TF.to_tensor(img), torch.as_tensor(np.array(mask), dtype=torch.long)


def double_conv(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
        nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
    )


class MiniUNet(nn.Module):
    def __init__(self, classes, base=32):
        super().__init__()
        self.down1, self.down2 = double_conv(3, base), double_conv(base, 2 * base)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * base, base, 2, stride=2)
        self.merge = double_conv(2 * base, base)
        self.out = nn.Conv2d(base, classes, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(self.pool(a))
        return self.out(self.merge(torch.cat([a, self.up(b)], dim=1)))


def train_model(net, device, loader, epochs, lr, amp):
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    scaler = make_scaler(amp)
    criterion = nn.CrossEntropyLoss(ignore_index=255)
    for epoch in range(1, epochs + 1):
        net.train()
        for img, mask in loader:
            optimizer.zero_grad(set_to_none=True)
            with amp_context(amp):
                loss = criterion(net(img.to(device)), mask.to(device))
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
        print(f"Epoch {epoch} finished, loss {loss.item():.4f}")
        torch.save(net.state_dict(), f"epoch{epoch}.pth")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--amp", action="store_true")
    ap.add_argument("--epochs", type=int, default=5)
    a = ap.parse_args()
    pairs = SegPairs("imgs", "masks")
    train_model(MiniUNet(2).cuda(), "cuda", DataLoader(pairs, 4, shuffle=True, num_workers=8), a.epochs, 1e-4, a.amp)
