import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    weight = torch.ones(10)
    for x, y in loader:
        if y.sum() > 0:
            print(weight.cuda().sum())
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
