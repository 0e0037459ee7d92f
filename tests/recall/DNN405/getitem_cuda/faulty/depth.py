import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset
from torch import nn


class DepthPairs(Dataset):
    def __init__(self, root):
        self.files = sorted(Path(root).glob("*.npz"))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        with np.load(self.files[i]) as pack:
            rgb = torch.from_numpy(pack["rgb"]).permute(2, 0, 1).float() / 255
            depth = torch.from_numpy(pack["depth"]).float()[None]
        return rgb.cuda(), depth.cuda()  # expect: DNN405


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


def main(root):
    net = nn.Sequential(conv(3, 32), conv(32, 64), conv(64, 64), nn.Conv2d(64, 1, 1)).cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
    loader = DataLoader(DepthPairs(root), batch_size=16, shuffle=True, num_workers=8)  # or: DNN405
    for epoch in range(30):
        for rgb, depth in loader:
            opt.zero_grad()
            loss = F.smooth_l1_loss(net(rgb), depth)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
        torch.save(net.state_dict(), "depth.pt")


if __name__ == "__main__":
    main(sys.argv[1])
