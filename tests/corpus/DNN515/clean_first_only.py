import torch


def train(model, loader, probe, first=True):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        if first:
            model.register_forward_hook(probe)
            first = False
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
