# bfloat16, and no scaler in the file.
import torch
from torch import nn


def main(model: nn.Module, loader, lr: float = 1e-3):
    opt = torch.optim.AdamW(model.parameters(), lr=lr)
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        opt.step()
        opt.zero_grad()
