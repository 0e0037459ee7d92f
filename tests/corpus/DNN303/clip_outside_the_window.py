# Each micro-batch clips what has been summed up so far.
import torch
from torch import nn

N = 4
model = nn.Sequential(nn.Linear(40, 80), nn.ReLU(), nn.Linear(80, 6))
opt = torch.optim.SGD(model.parameters(), lr=0.1)

from ponds import loader  # noqa: E402

for i, (x, y) in enumerate(loader):
    loss = nn.functional.cross_entropy(model(x), y) / N
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: DNN303
    if (i + 1) % N == 0:
        opt.step()
        opt.zero_grad()
