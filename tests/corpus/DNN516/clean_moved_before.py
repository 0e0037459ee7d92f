import torch


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    weight = torch.ones(10).cuda()
    for x, y in loader:
        scale = weight * 2
        opt.zero_grad()
        (model(x.cuda()) * scale).mean().backward()
        opt.step()
