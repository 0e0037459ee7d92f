# A decorator of this file enters inference mode.
import functools

import torch


def inference(function):
    @functools.wraps(function)
    def wrapper(model, *args, **kwargs):
        was_training = model.training
        model.eval()
        with torch.inference_mode():
            result = function(model, *args, **kwargs)
        model.train(was_training)
        return result

    return wrapper


@inference
def evaluate(model, loader):
    return sum(model(x).mean().item() for x in loader)


def train(model, loader, val_loader):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(3):
        for x in loader:
            opt.zero_grad()
            model(x).pow(2).mean().backward()
            opt.step()
        print(evaluate(model, val_loader))
