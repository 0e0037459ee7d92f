# A network whose blocks are checkpointed with options that a table names.
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

OPTIONS = {"use_reentrant": False, "preserve_rng_state": False}


class Encoder(nn.Module):
    def __init__(self, depth=12, width=512):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Linear(width, width) for _ in range(depth))

    def forward(self, x):
        for block in self.blocks:
            x = torch.relu(checkpoint(block, x, **OPTIONS) if self.training else block(x))
        return x
