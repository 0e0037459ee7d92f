# Imported from torch.amp.
import torch
from torch.amp import GradScaler, autocast, custom_bwd, custom_fwd


class Clamp(torch.autograd.Function):
    @staticmethod
    @custom_fwd(device_type="cuda")
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(-1, 1)

    @staticmethod
    @custom_bwd(device_type="cuda")
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * (x.abs() <= 1)


def step(model, x, opt, scaler: GradScaler):
    with autocast("cuda"):
        loss = Clamp.apply(model(x)).mean()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
