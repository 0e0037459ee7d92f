# The class in an annotation and in a match of types.
import torch
from torch.nn import DataParallel


def bare(model: torch.nn.Module | DataParallel) -> torch.nn.Module:
    return model.module if type(model) is DataParallel else model


def export(model, path):
    torch.save(bare(model).state_dict(), path)
