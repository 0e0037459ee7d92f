# Two callers, one safe: the value is not one.
import torch


def read(path, safe):
    return torch.load(path, weights_only=safe)


weights = read("weights.pt", True)
extra = read("own.pt", False)
