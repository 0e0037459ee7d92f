import torch


def step(model, x):
    opt = torch.optim.Adam(model.parameters())  # expect: DNN517
    opt.zero_grad()
    model(x).mean().backward()
    opt.step()




def train(model, loader):
    for x, y in loader:
        step(model, x)
