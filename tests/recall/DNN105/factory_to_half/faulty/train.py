import argparse
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

from models import build_model


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


parser = argparse.ArgumentParser()
parser.add_argument("--root", default="patches")
parser.add_argument("--fp16", action="store_true", default=True)
args = parser.parse_args()

model = build_model(50, fp16=args.fp16)  # or: DNN105
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)  # or: DNN105
loader = DataLoader(PatchDataset(args.root), batch_size=128, shuffle=True, num_workers=8)
for epoch in range(60):
    for images, labels in loader:
        images, labels = images.cuda(), labels.cuda()
        optimizer.zero_grad()
        if args.fp16:
            images = images.half()
        loss = F.cross_entropy(model(images).float(), labels)
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", loss.item())
    torch.save(model.state_dict(), "last.pt")
