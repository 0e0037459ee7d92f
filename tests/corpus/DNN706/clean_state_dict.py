# The state dict.
import torch
from torch import nn

net = nn.Linear(4, 2)
torch.save(net.state_dict(), "net.pt")
