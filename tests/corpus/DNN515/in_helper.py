import torch


def watch(model, probe):
    model.head.register_forward_pre_hook(probe)  # expect: DNN515




def train(model, loader, probe):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        watch(model, probe)
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
