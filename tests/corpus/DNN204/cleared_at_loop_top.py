# zero_grad at the top of the loop: only the last micro-batch of the window counts.
import torch
from torch import nn

STEPS = 4
model = nn.Sequential(nn.Linear(100, 100), nn.ReLU(), nn.Linear(100, 10)).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

from letters import loader  # noqa: E402

for i, (x, y) in enumerate(loader):
    optimizer.zero_grad()  # expect: DNN204
    loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda()) / STEPS
    loss.backward()
    if (i + 1) % STEPS == 0:
        optimizer.step()
