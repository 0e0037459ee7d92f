import os

import torch


def try_resume(path, model, optimizer, device):
    if not os.path.exists(path):
        return 0
    bundle = torch.load(path, map_location=device, weights_only=True)
    model.load_state_dict(bundle["model"])
    optimizer.load_state_dict(bundle["optimizer"])
    return bundle["epoch"] + 1


def write(path, model, optimizer, epoch):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
