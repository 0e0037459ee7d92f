# The new place.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(8, 8), nn.ReLU()).eval()
small = torch.ao.quantization.quantize_dynamic(net, {nn.Linear}, dtype=torch.qint8)
