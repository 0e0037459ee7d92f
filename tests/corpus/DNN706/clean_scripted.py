# A scripted model brings its code along.
import torch
from torch import nn

net = torch.jit.trace(nn.Linear(4, 2), torch.ones(1, 4))
net.save("net.ts")
