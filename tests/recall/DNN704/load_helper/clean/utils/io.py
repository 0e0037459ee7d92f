import os

import torch


def save(path, **objects):
    torch.save({k: v.state_dict() if hasattr(v, "state_dict") else v for k, v in objects.items()}, path)


def load(path, device):
    if not os.path.isfile(path):
        return None
    return torch.load(path, map_location=device, weights_only=True)
