# As a decorator it fails at import.
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    @torch.autocast(dtype=torch.float16)  # expect: DNN109
    def forward(self, x):
        return self.layers(x)
