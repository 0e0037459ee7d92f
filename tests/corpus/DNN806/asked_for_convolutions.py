# Only convolutions are asked for.
import torch
from torch import nn
from torch.ao.quantization import quantize_dynamic

net = torch.hub.load("pytorch/vision", "resnet18").eval()
small = quantize_dynamic(net, {nn.Conv2d}, dtype=torch.qint8)  # expect: DNN806
