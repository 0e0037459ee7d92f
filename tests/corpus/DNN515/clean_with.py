import torch


def train(model, loader, probe):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        with model.register_forward_hook(probe):
            opt.zero_grad()
            model(x).mean().backward()
        opt.step()
