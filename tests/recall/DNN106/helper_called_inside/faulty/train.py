import os
import sys

import numpy as np
import torch
import torch.nn.functional as F
import torchvision.transforms.functional as TF
from PIL import Image
from torch.utils.data import DataLoader, Dataset

from nets import MiniUNet
from utils.optim import backprop


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


def main():
    device = torch.device("cuda")
    net = MiniUNet(classes=4).to(device)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-5, weight_decay=1e-8, momentum=0.9)
    scaler = torch.amp.GradScaler("cuda")
    loader = DataLoader(SegPairs("imgs", "masks"), 8, shuffle=True, num_workers=8, pin_memory=True)
    for epoch in range(1, 51):
        net.train()
        epoch_loss = 0.0
        for images, masks in loader:
            images = images.to(device=device, memory_format=torch.channels_last)
            masks = masks.to(device=device)
            with torch.autocast("cuda", dtype=torch.float16):
                loss = F.cross_entropy(net(images), masks)
                backprop(loss, optimizer, scaler, net.parameters())  # expect: DNN106
            epoch_loss += loss.item()
        print(f"Epoch {epoch}: {epoch_loss / len(loader):.4f}")
        torch.save(net.state_dict(), f"checkpoint_epoch{epoch}.pth")


if __name__ == "__main__":
    sys.exit(main())
