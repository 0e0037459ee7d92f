# range() of a multiple of the window.
import torch
from torch import nn

model = nn.Linear(5, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
accum = 5
for epoch in range(3):
    for i in range(100):
        x = torch.randn(32, 5)
        (nn.functional.mse_loss(model(x), x.sum(1, keepdim=True)) / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
