# The device is bound with functools.partial.
from functools import partial

import torch

autocast = partial(torch.autocast, device_type="cuda", dtype=torch.bfloat16)


def train(model, loader, opt):
    for batch in loader:
        with autocast():
            loss = model(batch).mean()
        loss.backward()
        opt.step()
        opt.zero_grad()
