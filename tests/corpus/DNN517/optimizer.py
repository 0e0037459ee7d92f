import torch


def train(model, loader):
    for x, y in loader:
        opt = torch.optim.Adam(model.parameters())  # expect: DNN517
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
