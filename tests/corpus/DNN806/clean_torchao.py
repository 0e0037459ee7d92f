# The package that follows.
import torch
from torch import nn
from torchao.quantization import Int8WeightOnlyConfig, quantize_

net = nn.Sequential(nn.Linear(64, 64), nn.ReLU()).to(torch.bfloat16)
quantize_(net, Int8WeightOnlyConfig())
