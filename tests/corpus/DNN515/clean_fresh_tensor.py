import torch


def train(model, loader, probe):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        opt.zero_grad()
        out = model(x)
        out.register_hook(probe)
        out.mean().backward()
        opt.step()
