# A factory of this file makes the context; float16 by default.
import contextlib

import torch
from torch import nn


def precision_context(device: str, enabled: bool = True):
    if not enabled:
        return contextlib.nullcontext()
    return torch.autocast(device_type=device, dtype=torch.float16)


def train(model, loader, epochs=4):
    model.to("cuda")
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-4)
    for _ in range(epochs):
        for patch, target in loader:
            with precision_context("cuda"):
                loss = nn.functional.huber_loss(model(patch.to("cuda")), target.to("cuda"))
            optimizer.zero_grad()
            loss.backward()  # expect: DNN101
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
