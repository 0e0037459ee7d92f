# SGD with the learning rate divided by the window instead of the loss.
import torch
from torch import nn

accum_steps = 4
base_lr = 0.001
model = nn.Sequential(nn.Linear(20, 80), nn.Tanh(), nn.Linear(80, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=base_lr / accum_steps, momentum=0.9)

from coins import tosses  # noqa: E402

optimizer.zero_grad()
for i, (x, y) in enumerate(tosses()):
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    if (i + 1) % accum_steps == 0:
        optimizer.step()
        optimizer.zero_grad()
