# The import is local and renamed.
import torch


def train(net, loader):
    from torch.amp import autocast as mixed

    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        opt.zero_grad()
        with mixed(enabled=True, dtype=torch.bfloat16):  # expect: DNN109
            loss = net(x).mean()
        loss.backward()
        opt.step()
