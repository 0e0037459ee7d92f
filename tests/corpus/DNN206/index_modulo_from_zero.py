# i % n == 0 with i from 0: the first step is taken after one micro-batch.
import torch
from torch import nn

ACCUM = 4
model = nn.Sequential(nn.Linear(75, 300), nn.ReLU(), nn.Linear(300, 2))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)

from mines import soundings  # noqa: E402

opt.zero_grad()
for i, (x, y) in enumerate(soundings()):
    loss = nn.functional.cross_entropy(model(x), y) / ACCUM
    loss.backward()
    if i % ACCUM == 0:  # expect: DNN206
        opt.step()
        opt.zero_grad()
