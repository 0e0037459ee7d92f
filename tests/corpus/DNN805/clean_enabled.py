# Enabled.
import torch

torch.backends.cudnn.enabled = True
