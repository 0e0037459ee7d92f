"""no_sync() of the discriminator while the generator learns."""
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


def train(rank, loader, n=2):
    gen = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
    disc = DDP(torch.nn.Linear(8, 1).to(rank), device_ids=[rank])
    opt_g = torch.optim.Adam(gen.parameters())
    opt_d = torch.optim.Adam(disc.parameters())
    for i, real in enumerate(loader):
        with disc.no_sync():
            (-disc(gen(real)).mean() / n).backward()
        if (i + 1) % n == 0:
            opt_g.step()
            opt_g.zero_grad()
        disc(real).mean().backward()
        opt_d.step()
        opt_d.zero_grad()
