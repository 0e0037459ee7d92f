import torch

DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}


def make_amp(cfg):
    dtype = DTYPES[cfg["amp_dtype"]]
    ctx = torch.autocast("cuda", dtype=dtype, enabled=cfg["amp"])
    scaler = torch.amp.GradScaler("cuda", enabled=cfg["amp"] and dtype is torch.float16)
    return ctx, scaler
