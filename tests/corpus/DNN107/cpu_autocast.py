# The CPU variant is deprecated as well.
import torch
from torch import nn

model = nn.Linear(64, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(200):
    x = torch.randn(32, 64)
    with torch.cpu.amp.autocast():  # expect: DNN107
        loss = model(x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
