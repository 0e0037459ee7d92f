# clip_norm exists as a parameter with default None, and no caller passes it.
import torch
from torch import nn


def run_epoch(model, loader, optimizer, clip_norm=None):
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        if clip_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), clip_norm)
        optimizer.step()  # expect: DNN301


def main():
    from traffic import Forecaster, loader

    model = Forecaster()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(50):
        run_epoch(model, loader(), optimizer)


main()
