# An object of the project keeps the handle, and its own remove() takes the hook away.
import torch
from torch import nn


class Tracker:
    def __init__(self, model: nn.Module):
        self.handle = model.register_forward_hook(self.note)
        self.shapes = []

    def note(self, module, inputs, output):
        self.shapes.append(output.shape)

    def remove(self):
        self.handle.remove()


def train(model: nn.Module, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        tracker = Tracker(model)
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()
        tracker.remove()
