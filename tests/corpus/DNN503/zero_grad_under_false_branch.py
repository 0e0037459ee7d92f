# Cleared only in the first iteration of each epoch.
import torch


def train(net, loader, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(epochs):
        opt.zero_grad()
        for x, y in loader:
            loss = torch.nn.functional.cross_entropy(net(x), y)
            loss.backward()  # expect: DNN503
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
