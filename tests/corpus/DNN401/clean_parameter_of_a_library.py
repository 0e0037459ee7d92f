# A function of a library: its callers choose the number.
import torch
from torch.utils.data import DataLoader


def make_loader(dataset, batch_size: int, num_workers: int, distributed: bool = False):
    sampler = torch.utils.data.DistributedSampler(dataset) if distributed else None
    return DataLoader(
        dataset, batch_size, shuffle=sampler is None, sampler=sampler, num_workers=num_workers, pin_memory=True
    )


def train(model, dataset, workers: int):
    opt = torch.optim.Adam(model.parameters())
    for batch in make_loader(dataset, 32, workers):
        opt.zero_grad()
        model(batch).backward()
        opt.step()
