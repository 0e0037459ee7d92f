# Half of each layer is masked and saved.
import torch
from torch import nn
from torch.nn.utils import prune

net = nn.Sequential(nn.Linear(784, 300), nn.ReLU(), nn.Linear(300, 10))
net.load_state_dict(torch.load("net.pt", map_location="cpu", weights_only=True))
for layer in net:
    if isinstance(layer, nn.Linear):
        prune.l1_unstructured(layer, "weight", amount=0.5)  # expect: DNN807
torch.save(net.state_dict(), "pruned.pt")
