# Made permanent at once.
import torch
from torch import nn
from torch.nn.utils import prune

net = nn.Linear(784, 10)
prune.l1_unstructured(net, "weight", amount=0.5)
prune.remove(net, "weight")
torch.save(net.state_dict(), "pruned.pt")
