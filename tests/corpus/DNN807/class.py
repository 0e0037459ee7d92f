# A class that the script runs.
import torch
from torch import nn
from torch.nn.utils import prune


class Pruner:
    def __init__(self, net, amount=0.2):
        self.net = net
        self.amount = amount

    def run(self):
        parts = [(layer, "weight") for layer in self.net if isinstance(layer, nn.Linear)]
        prune.global_unstructured(parts, pruning_method=prune.L1Unstructured, amount=self.amount)  # expect: DNN807
        return self.net


pruner = Pruner(nn.Sequential(nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 4)))
torch.save(pruner.run().state_dict(), "pruned.pt")
