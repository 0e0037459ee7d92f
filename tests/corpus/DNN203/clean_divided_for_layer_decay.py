# Layer-wise decay divides the rate, but not by the window.
import torch


def groups(net, lr, decay=0.75):
    depth = len(net.blocks)
    return [{"params": b.parameters(), "lr": lr * decay ** (depth - i)} for i, b in enumerate(net.blocks)]


def train(net, loader, accum=4):
    opt = torch.optim.AdamW(groups(net, 1e-3))
    for i, x in enumerate(loader):
        (net(x.cuda()).mean() / accum).backward()
        if (i + 1) % accum == 0:
            opt.step()
            opt.zero_grad()
