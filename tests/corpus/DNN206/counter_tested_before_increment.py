# The counter starts at 0 and is incremented after the test.
import torch


def train(net, loader, n=8):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    it = 0
    for x in loader:
        (net(x).mean() / n).backward()
        if it % n == 0:  # expect: DNN206
            opt.step()
            opt.zero_grad()
        it += 1
