# The constant is None, so the clip never runs.
import torch
from torch import nn

GRAD_CLIP = None


def main(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        if GRAD_CLIP is not None:
            nn.utils.clip_grad_norm_(model.parameters(), GRAD_CLIP)
        opt.step()  # expect: DNN301


if __name__ == "__main__":
    from kelp import KelpNet, loader

    main(KelpNet(), loader())
