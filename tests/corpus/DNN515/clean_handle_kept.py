import torch


def train(model, loader, probe, release):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    handles = []
    for x, y in loader:
        handles.append(model.register_forward_hook(probe))
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
    release(handles)
