# Deep Q-learning: the modulo copies the target network, the optimizer steps on every batch.
import copy

import torch
from torch import nn


def learn(q, replay, steps, sync_every=1000, gamma=0.99):
    target = copy.deepcopy(q)
    optimizer = torch.optim.RMSprop(q.parameters(), lr=2.5e-4)
    for step in range(steps):
        s, a, r, s2, done = replay.sample(32)
        with torch.no_grad():
            best = target(s2).max(dim=1).values
            wanted = r + gamma * best * (1 - done)
        value = q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        loss = nn.functional.smooth_l1_loss(value, wanted)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(q.parameters(), 100)
        optimizer.step()
        if (step + 1) % sync_every == 0:
            target.load_state_dict(q.state_dict())
