# Gradients are switched off for the whole script.
import sys

import torch

from kelp import KelpNet, val_loader

torch.set_grad_enabled(False)


def validate(model, loader):
    model.eval()
    hits = 0
    for x, y in loader:
        hits += (model(x).argmax(1) == y).sum().item()
    return hits


if __name__ == "__main__":
    net = KelpNet()
    net.load_state_dict(torch.load(sys.argv[1], map_location="cpu", weights_only=True))
    print(validate(net, val_loader()))
