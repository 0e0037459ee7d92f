# The helper shuffles when the split is train.
import torch
from torch.utils.data import DataLoader


def get_loader(split, batch=32):
    from eggs import EggSet

    return DataLoader(EggSet(split), batch, shuffle=split == "train", num_workers=8)


def train(net, epochs):
    opt = torch.optim.Adam(net.parameters())
    loader = get_loader("train")
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            net.loss(x, y).backward()
            opt.step()
