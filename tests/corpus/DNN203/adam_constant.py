# Adam is invariant to the scale of the gradients: a divided learning rate is simply a smaller one.
import torch
from torch import nn

ACCUM = 4
net = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.001 / ACCUM)  # expect: DNN203

from bikes import trips  # noqa: E402

for i, (x, minutes) in enumerate(trips()):
    nn.functional.mse_loss(net(x).squeeze(1), minutes).backward()
    if (i + 1) % ACCUM == 0:
        optimizer.step()
        optimizer.zero_grad()
