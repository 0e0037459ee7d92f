# A parameter that the function trains.
import torch


def train(model, loader):
    optimizer = torch.optim.Adam(model.parameters())
    model.train()
    for x in loader:
        optimizer.zero_grad()
        model(x).mean().backward()
        optimizer.step()
    torch.save(model, "best.pt")  # expect: DNN706
