# Restored.
import torch

before = torch.backends.cudnn.enabled
torch.backends.cudnn.enabled = False
torch.nn.LSTM(4, 4)
torch.backends.cudnn.enabled = before
