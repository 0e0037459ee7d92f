# The class is only asked about.
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


def unwrap(model):
    if isinstance(model, (nn.DataParallel, DDP)):
        return model.module
    return model


def save(model, path):
    torch.save(unwrap(model).state_dict(), path)
