import torch


def train(model, loader, probe):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        model.layer4.register_full_backward_hook(probe)  # expect: DNN515
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
