import torch
import torch.utils.checkpoint
from torch import nn


class Checkpointable(nn.Module):
    grad_checkpointing = False

    def maybe_checkpoint(self, fn, *args):
        if self.grad_checkpointing and self.training:
            return torch.utils.checkpoint.checkpoint(fn, *args)  # expect: DNN514
        return fn(*args)


class ConvStage(Checkpointable):
    def __init__(self, cin, cout):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(cin, cout, 3, 2, 1), nn.GroupNorm(8, cout), nn.ReLU(), nn.Conv2d(cout, cout, 3, 1, 1), nn.ReLU())

    def forward(self, x):
        return self.maybe_checkpoint(self.body, x)
