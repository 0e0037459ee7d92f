import contextlib

import torch


def amp_context(enabled, device_type="cuda"):
    if device_type == "mps":
        return contextlib.nullcontext()
    return torch.amp.autocast(enabled=enabled)  # expect: DNN109


def make_scaler(enabled):
    return torch.amp.GradScaler("cuda", enabled=enabled)
