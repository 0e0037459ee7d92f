# The loss goes into a list as part of a tuple.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    log = []
    for step, x in enumerate(loader):
        loss = net(x).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.append((step, loss))  # expect: DNN501
    return log
