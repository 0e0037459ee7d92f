# custom_fwd and custom_bwd moved to torch.amp and take the device type.
import torch
from torch.autograd import Function


class ScaledTanh(Function):
    @staticmethod
    @torch.cuda.amp.custom_fwd  # expect: DNN107
    def forward(ctx, x, a):
        y = torch.tanh(a * x)
        ctx.save_for_backward(y)
        ctx.a = a
        return y

    @staticmethod
    @torch.cuda.amp.custom_bwd  # expect: DNN107
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * ctx.a * (1 - y * y), None
