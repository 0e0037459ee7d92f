# The loss is divided in the loop and the gradients once more before the step.
import torch
from torch import nn


def train(net, stream, micro_batches, updates):
    opt = torch.optim.SGD(net.parameters(), lr=0.3)
    for _ in range(updates):
        opt.zero_grad()
        for _ in range(micro_batches):
            x, y = next(stream)
            loss = nn.functional.mse_loss(net(x), y) / micro_batches
            loss.backward()  # expect: DNN202
        for p in net.parameters():
            p.grad /= micro_batches  # or: DNN202
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
