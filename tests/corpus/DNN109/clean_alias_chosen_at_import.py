# An alias that is nullcontext or the old CUDA class.
from contextlib import nullcontext

import torch

autocast = torch.cuda.amp.autocast if torch.cuda.is_available() else nullcontext


def train(model, loader, opt):
    for batch in loader:
        opt.zero_grad()
        with autocast():
            loss = model(batch)
        loss.backward()
        opt.step()
