# Only the averaged copy is evaluated.
import copy

import torch


def fit(model, loader, val, epochs):
    ema = copy.deepcopy(model).requires_grad_(False)
    opt = torch.optim.Adam(model.parameters())
    model.train()
    for _ in range(epochs):
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
            with torch.no_grad():
                for a, b in zip(ema.parameters(), model.parameters()):
                    a.lerp_(b, 0.001)
        ema.eval()
        with torch.no_grad():
            print(sum(ema(x).mean().item() for x in val))
