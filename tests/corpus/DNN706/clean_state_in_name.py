# The state dict under a name.
import torch
from torch import nn

net = nn.Linear(4, 2)
model = net.state_dict()
torch.save(model, "net.pt")
