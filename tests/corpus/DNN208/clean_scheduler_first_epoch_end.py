# Warm-up per batch in the first epoch, another scheduler per epoch.
import torch


def fit(net, loader, epochs):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    warm = torch.optim.lr_scheduler.LinearLR(opt, 0.001, 1.0, total_iters=len(loader) - 1)
    plan = torch.optim.lr_scheduler.MultiStepLR(opt, [10, 20])
    for epoch in range(epochs):
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
            if epoch == 0:
                warm.step()
        plan.step()
