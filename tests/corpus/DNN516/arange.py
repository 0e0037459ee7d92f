import torch


def train(model, loader, counts):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    weight = torch.arange(10)
    for x, y in loader:
        scale = weight.cuda()  # expect: DNN516
        opt.zero_grad()
        (model(x.cuda()) * scale).mean().backward()
        opt.step()
