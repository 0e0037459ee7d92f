# The rate is divided inside the parameter groups.
import torch


def train(model, head, loader, lr, grad_accum):
    groups = [{"params": model.parameters()}, {"params": head.parameters(), "weight_decay": 0.0}]
    opt = torch.optim.NAdam(groups, lr / grad_accum)  # expect: DNN203
    for k, (x, y) in enumerate(loader):
        loss = torch.nn.functional.cross_entropy(head(model(x)), y)
        loss.backward()
        if (k + 1) % grad_accum == 0:
            opt.step()
            opt.zero_grad()
