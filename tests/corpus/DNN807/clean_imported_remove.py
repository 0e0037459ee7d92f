# The function by its own name.
from torch import nn
from torch.nn.utils.prune import l1_unstructured, remove

net = nn.Linear(784, 10)
l1_unstructured(net, "weight", amount=0.5)
remove(net, "weight")
