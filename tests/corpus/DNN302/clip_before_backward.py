# The clip is in front of the backward: it sees the gradients of no batch.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(9, 27), nn.ReLU(), nn.Linear(27, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)

from beads import loader  # noqa: E402

for x, y in loader:
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # expect: DNN302
    loss.backward()
    opt.step()
