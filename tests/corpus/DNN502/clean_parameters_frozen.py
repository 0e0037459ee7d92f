# No parameter requires a gradient: nothing is recorded.
import sys

import torch

from bells import BellNet, test_loader

model = BellNet()
model.load_state_dict(torch.load(sys.argv[1], map_location="cpu", weights_only=True))
model.requires_grad_(False)
model.eval()
hits = 0
for x, y in test_loader():
    hits += (model(x).argmax(1) == y).sum().item()
print(hits)
