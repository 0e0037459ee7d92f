# Predictions and features.
import torch
from torch import nn

net = nn.Linear(4, 2).eval()
with torch.no_grad():
    features = net(torch.ones(3, 4))
torch.save(features, "features.pt")
torch.save([net(x) for x in torch.ones(3, 4)], "predictions.pt")
