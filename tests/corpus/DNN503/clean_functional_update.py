# The gradients are taken with torch.func and applied by hand.
import torch
from torch.func import functional_call, grad


def train(net, loader, lr=0.1):
    params = {k: v.detach() for k, v in net.named_parameters()}

    def loss(p, x, y):
        return torch.nn.functional.mse_loss(functional_call(net, p, (x,)), y)

    for x, y in loader:
        g = grad(loss)(params, x, y)
        params = {k: v - lr * g[k] for k, v in params.items()}
    return params
