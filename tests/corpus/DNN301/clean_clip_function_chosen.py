# The clip function is chosen by name; an alias of the import.
import torch
from torch.nn.utils import clip_grad_norm_ as clip_norm
from torch.nn.utils import clip_grad_value_ as clip_value

CLIP = {"norm": clip_norm, "value": clip_value}


def train(model, loader, mode="norm", limit=1.0):
    clip = CLIP[mode]
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        clip(model.parameters(), limit)
        opt.step()
