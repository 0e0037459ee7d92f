# Delayed update: the step at the top of the loop belongs to the backward and clip of the turn before.
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    first = True
    for batch in loader:
        if not first:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
        first = False
        model(batch).backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
