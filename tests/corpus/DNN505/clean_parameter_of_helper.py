# The caller decides.
import torch


def backward(loss, opt, keep):
    opt.zero_grad()
    loss.backward(retain_graph=keep)
    opt.step()


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        backward(model(x).mean(), opt, keep=False)
