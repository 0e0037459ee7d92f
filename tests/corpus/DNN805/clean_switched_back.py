# Switched back.
import torch

torch.backends.cudnn.enabled = False
torch.nn.LSTM(4, 4)
torch.backends.cudnn.enabled = True
