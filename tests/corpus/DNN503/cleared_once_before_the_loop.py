# Cleared once, before all epochs.
import torch
from torch import nn


def fit(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    opt.zero_grad()
    for _ in range(epochs):
        for a, b, same in loader:
            distance = (model(a) - model(b)).norm(dim=1)
            loss = nn.functional.binary_cross_entropy_with_logits(-distance, same)
            loss.backward()  # expect: DNN503
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()


if __name__ == "__main__":
    from locks import LockNet, pairs

    fit(LockNet(), pairs(), 10)
