# Flags.
import torch

with torch.backends.cudnn.flags(enabled=False):
    torch.nn.LSTM(4, 4)(torch.ones(1, 1, 4))
