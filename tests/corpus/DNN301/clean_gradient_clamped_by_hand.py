# The gradients are clamped by hand.
import torch
from torch import nn


def optimise(policy, loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    for param in policy.parameters():
        param.grad.data.clamp_(-1, 1)
    optimizer.step()


def train(policy, memory, episodes):
    optimizer = torch.optim.RMSprop(policy.parameters())
    for _ in range(episodes):
        state, action, wanted = memory.sample(128)
        value = policy(state).gather(1, action)
        optimise(policy, nn.functional.smooth_l1_loss(value, wanted), optimizer)
