# retain_graph is not set, or set to False.
import torch


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for a, b in loader:
        opt.zero_grad()
        model(a).mean().backward()
        model(b).mean().backward(retain_graph=False)
        opt.step()
