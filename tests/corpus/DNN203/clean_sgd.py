# SGD: dividing the rate is equivalent to dividing the loss.
import torch
from torch import nn

ACCUM = 4
model = nn.Linear(8, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.01 / ACCUM)
for i in range(400):
    x, y = torch.randn(16, 8), torch.randint(0, 2, (16,))
    nn.functional.cross_entropy(model(x), y).backward()
    if (i + 1) % ACCUM == 0:
        opt.step()
        opt.zero_grad()
