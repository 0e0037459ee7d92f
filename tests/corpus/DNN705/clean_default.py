# The default of current PyTorch is safe.
import torch

state = torch.load("model.pt", map_location="cpu")
