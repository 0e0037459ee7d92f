# autocast on the CPU runs in bfloat16 by default.
import torch
from torch import nn

torch.set_num_threads(8)
model = nn.Sequential(nn.Linear(90, 512), nn.ReLU(), nn.Linear(512, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)

from songs import year_batches  # noqa: E402

for epoch in range(5):
    for features, year in year_batches(512):
        optimizer.zero_grad()
        with torch.autocast("cpu"):
            loss = nn.functional.mse_loss(model(features).squeeze(), year)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        optimizer.step()
