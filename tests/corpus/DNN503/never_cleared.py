# The gradients of all earlier batches stay.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.01)

from iris import loader  # noqa: E402

for epoch in range(100):
    for x, y in loader:
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()  # expect: DNN503
        opt.step()
