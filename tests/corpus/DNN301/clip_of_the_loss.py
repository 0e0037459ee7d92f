# A nested function named clip only limits the loss.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)

    def clip(value, limit=10.0):
        return value.clamp(max=limit)

    for x in loader:
        opt.zero_grad()
        loss = clip(net(x).mean())
        loss.backward()
        opt.step()  # expect: DNN301
