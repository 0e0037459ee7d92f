# backward is in a helper that is called before the clip.
import torch


def accumulate(model, batch, n):
    loss = model(batch) / n
    loss.backward()
    return loss.item()


def train(model, loader, n=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        accumulate(model, batch, n)
        if (i + 1) % n == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
