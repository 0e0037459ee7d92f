# The function is imported and a constant is set; nothing calls it.
import torch
from torch.nn.utils import clip_grad_norm_  # noqa: F401

from kelp import KelpNet, loader

MAX_GRAD_NORM = 1.0
model = KelpNet()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 10)
for epoch in range(30):
    for x, y in loader():
        loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # expect: DNN301
    scheduler.step()
