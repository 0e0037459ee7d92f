# Between training and validation, once an epoch.
import torch


def fit(model, loader, val_loader, epochs):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        model.train()
        for x in loader:
            opt.zero_grad()
            model(x.cuda()).backward()
            opt.step()
        torch.cuda.empty_cache()
        model.eval()
        with torch.no_grad():
            print(sum(model(x.cuda()).item() for x in val_loader))
