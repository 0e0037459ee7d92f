import torch
from torch import nn

from backbone import Backbone


class ConvBackbone(Backbone):
    def __init__(self, classes, width=64):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, width, 7, stride=2, padding=3), nn.BatchNorm2d(width), nn.ReLU())
        self.body = nn.Sequential(*[nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU()) for _ in range(6)])
        self.head = nn.Linear(width, classes)

    @torch.amp.autocast(dtype=torch.bfloat16)  # expect: DNN109
    def encode(self, x):
        return self.body(self.stem(x)).mean((2, 3))
