# Loss and learning rate are both divided by the window.
import torch
from torch import nn

ACCUM_STEPS = 4
BASE_LR = 0.1
model = nn.Sequential(nn.Linear(30, 90), nn.ReLU(), nn.Linear(90, 5))
optimizer = torch.optim.SGD(model.parameters(), lr=BASE_LR / ACCUM_STEPS)  # or: DNN202

from frogs import calls  # noqa: E402

optimizer.zero_grad()
for i, (x, y) in enumerate(calls()):
    loss = nn.functional.cross_entropy(model(x), y) / ACCUM_STEPS
    loss.backward()  # expect: DNN202
    if (i + 1) % ACCUM_STEPS == 0:
        optimizer.step()
        optimizer.zero_grad()
