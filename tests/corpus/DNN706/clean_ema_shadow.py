# The averaged weights of a model, by name.
import torch


class Ema:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def save(self, path):
        torch.save(self.shadow, path)
