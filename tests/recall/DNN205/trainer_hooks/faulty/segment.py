import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torchvision.transforms.functional as TF
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

from trainer import Trainer


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


class Segmenter(Trainer):
    def loss(self, batch):
        image, mask = batch
        return F.cross_entropy(self.model(image.cuda()), mask.cuda())


if __name__ == "__main__":
    unet = MiniUNet(6).cuda()
    trainer = Segmenter(unet, torch.optim.AdamW(unet.parameters(), 5e-4), accum=4)
    trainer.fit(DataLoader(SegPairs(*sys.argv[1:3]), 6, shuffle=True, num_workers=8), 60)
