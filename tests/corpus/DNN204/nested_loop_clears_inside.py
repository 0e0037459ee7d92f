# Nested micro loop: the clearing is inside of it.
import torch
from torch import nn


def pretrain(lm, stream, updates, micro=8):
    opt = torch.optim.AdamW(lm.parameters(), lr=6e-4, betas=(0.9, 0.95))
    for update in range(updates):
        for _ in range(micro):
            x, y = next(stream)
            lm.zero_grad()  # expect: DNN204
            loss = nn.functional.cross_entropy(lm(x).flatten(0, 1), y.flatten()) / micro
            loss.backward()
        nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
        opt.step()
        if update % 10 == 0:
            print(update, loss.item() * micro)
