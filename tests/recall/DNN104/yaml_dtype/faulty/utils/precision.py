import torch

DTYPES = {"float16": torch.float16, "bfloat16": torch.bfloat16}


def make_amp(cfg):
    dtype = DTYPES[cfg["amp_dtype"]]
    ctx = torch.autocast("cuda", dtype=dtype, enabled=cfg["amp"])  # or: DNN104
    scaler = torch.amp.GradScaler("cuda", enabled=cfg["amp"])  # expect: DNN104
    return ctx, scaler
