import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    weight = torch.ones(10)
    for x, y in loader:
        weight.uniform_()
        scale = weight.cuda()
        opt.zero_grad()
        (model(x.cuda()) * scale).mean().backward()
        opt.step()
