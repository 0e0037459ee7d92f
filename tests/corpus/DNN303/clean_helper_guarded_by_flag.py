# The helper clips and steps only when it is told that the window ends.
import torch


def backward(loss, model, opt, update, max_norm=1.0):
    loss.backward()
    if update:
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        opt.step()
        opt.zero_grad()


def train(model, loader, n=4):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i, batch in enumerate(loader):
        backward(model(batch) / n, model, opt, update=(i + 1) % n == 0)
