# After training a copy is cast to float16 for export; the trained model stays float32.
import copy

import torch
from torch import nn


def train(model, loader, epochs=10):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()


def export(model, path):
    small = copy.deepcopy(model).half().eval()
    torch.save(small.state_dict(), path)


if __name__ == "__main__":
    from bolts import Detector, loader

    detector = Detector().cuda()
    train(detector, loader())
    export(detector, "detector_fp16.pt")
