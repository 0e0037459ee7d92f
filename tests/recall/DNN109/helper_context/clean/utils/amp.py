import contextlib

import torch


def amp_context(enabled, device_type="cuda"):
    if device_type == "mps":
        return contextlib.nullcontext()
    return torch.amp.autocast(device_type=device_type, enabled=enabled)


def make_scaler(enabled):
    return torch.amp.GradScaler("cuda", enabled=enabled)
