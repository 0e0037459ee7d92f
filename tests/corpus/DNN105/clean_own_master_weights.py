# Own master weights: the optimizer holds float32 copies, which are copied back after each step.
import torch


def train(model, loader, lr=1e-3, scale=512.0):
    model = model.cuda().half()
    halves = list(model.parameters())
    masters = [p.detach().clone().float().requires_grad_(True) for p in halves]
    optimizer = torch.optim.SGD(masters, lr=lr, momentum=0.9)
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x.cuda().half()).float(), y.cuda())
        model.zero_grad()
        (loss * scale).backward()
        for master, half in zip(masters, halves):
            master.grad = half.grad.float() / scale
        torch.nn.utils.clip_grad_norm_(masters, 1.0)
        optimizer.step()
        with torch.no_grad():
            for master, half in zip(masters, halves):
                half.copy_(master)
