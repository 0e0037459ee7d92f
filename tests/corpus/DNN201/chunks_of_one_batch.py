# A batch is cut into equal chunks; each chunk's mean is differentiated at full weight.
import torch
from torch import nn


def step(net, x, y, opt, chunks=4):
    opt.zero_grad()
    for a, b in zip(x.chunk(chunks), y.chunk(chunks)):
        loss = nn.functional.mse_loss(net(a), b)
        loss.backward()  # expect: DNN201
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        step(net, x, y, opt)
