# The upper end of the range, in a dataclass.
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader


@dataclass(frozen=True)
class Loading:
    batch_size: int = 128
    workers: int = 16


def train(model, dataset, loading=Loading()):
    loader = DataLoader(dataset, loading.batch_size, shuffle=True, num_workers=loading.workers)
    opt = torch.optim.Adam(model.parameters())
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        opt.step()
