# Jacobian rows: several backwards of one graph in an inner loop.
import torch


def sensitivity(net, loader):
    rows = []
    for x in loader:
        x.requires_grad_(True)
        out = net(x).sum(0)
        for k in range(len(out)):
            x.grad = None
            out[k].backward(retain_graph=True)
            rows.append(x.grad.clone())
    return torch.stack(rows)
