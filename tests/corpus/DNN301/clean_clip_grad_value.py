# Clipped by value.
import torch
from torch import nn

agent = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 4))
opt = torch.optim.Adam(agent.parameters(), lr=1e-3)

from lander import replay  # noqa: E402

for state, action, target in replay(batch_size=128):
    q = agent(state).gather(1, action)
    loss = nn.functional.smooth_l1_loss(q, target)
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(agent.parameters(), 100)
    opt.step()
