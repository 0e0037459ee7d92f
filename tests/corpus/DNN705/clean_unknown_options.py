# Options that the caller passes on.
import torch


def read(path, **options):
    return torch.load(path, **options)
