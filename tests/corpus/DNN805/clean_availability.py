# Availability.
import torch

torch.backends.cudnn.enabled = torch.backends.cudnn.is_available()
