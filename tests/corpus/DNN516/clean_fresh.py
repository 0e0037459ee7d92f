import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        weight = torch.rand(10)
        scale = weight.cuda()
        opt.zero_grad()
        (model(x.cuda()) * scale).mean().backward()
        opt.step()
