# The current name, on a model that is not sharded.
import torch


def train(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
