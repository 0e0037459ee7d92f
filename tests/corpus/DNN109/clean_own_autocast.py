# A context manager of the project with the same name.
import contextlib

import torch


@contextlib.contextmanager
def autocast(enabled=True):
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=enabled):
        yield


def train(model, loader, opt):
    for batch in loader:
        with autocast():
            loss = model(batch)
        loss.backward()
        opt.step()
        opt.zero_grad()
