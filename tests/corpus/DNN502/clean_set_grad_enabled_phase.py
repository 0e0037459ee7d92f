# One loop for both phases; set_grad_enabled follows the phase.
import torch
from torch import nn


def fit(model, loaders, epochs):
    opt = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    for _ in range(epochs):
        for phase in ("train", "val"):
            if phase == "train":
                model.train()
            else:
                model.eval()
            for x, y in loaders[phase]:
                opt.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    loss = nn.functional.cross_entropy(model(x), y)
                    if phase == "train":
                        loss.backward()
                        opt.step()
