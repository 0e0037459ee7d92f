import os

import torch


def save(path, **objects):
    torch.save({k: v.state_dict() if hasattr(v, "state_dict") else v for k, v in objects.items()}, path)


def load(path):
    if not os.path.isfile(path):
        return None
    return torch.load(path, weights_only=True)  # expect: DNN704
