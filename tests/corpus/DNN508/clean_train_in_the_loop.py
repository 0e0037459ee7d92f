# train() at the top of each epoch.
import torch


def fit(model, loader, val, epochs):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
        model.eval()
        with torch.no_grad():
            print(sum(model(x).mean().item() for x in val))
