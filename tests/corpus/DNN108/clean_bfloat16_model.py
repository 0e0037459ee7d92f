# The weights are bfloat16.
import torch
from torch import nn

model = nn.Sequential(nn.Linear(512, 2048), nn.GELU(), nn.Linear(2048, 512)).to("cuda", dtype=torch.bfloat16)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(1000):
    x = torch.randn(64, 512, device="cuda", dtype=torch.bfloat16)
    opt.zero_grad()
    loss = (model(x) - x).float().pow(2).mean()
    loss.backward()
    opt.step()
