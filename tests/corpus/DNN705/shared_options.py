# The arguments stand in a dictionary of the module.
import torch

LOAD = {"map_location": "cpu", "weights_only": False}


def read(path):
    return torch.load(path, **LOAD)  # expect: DNN705
