# The export folds the product of weight and mask.
import torch
from torch import nn
from torch.nn.utils import prune

net = nn.Linear(784, 10)
prune.l1_unstructured(net, "weight", amount=0.5)
torch.onnx.export(net.eval(), torch.ones(1, 784), "net.onnx")
