# A configuration class with class attributes.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet


class CFG:
    batch_size = 32
    num_workers = 2
    epochs = 5
    lr = 1e-3


def main():
    data = KelpSet("train")
    loader = DataLoader(data, batch_size=CFG.batch_size, shuffle=True, num_workers=CFG.num_workers)  # expect: DNN401
    net = KelpNet()
    opt = torch.optim.AdamW(net.parameters(), lr=CFG.lr)
    for _ in range(CFG.epochs):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x), y).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()


main()
