# Imported from torch.nn.utils.
import torch
from torch.nn.utils import clip_grad_norm  # or: DNN305


def train(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        clip_grad_norm(model.parameters(), max_norm=5)  # expect: DNN305
        opt.step()
