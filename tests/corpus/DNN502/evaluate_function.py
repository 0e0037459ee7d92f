# eval() switches dropout, not the graph.
import torch
from torch import nn


def evaluate(model, loader, device):
    model.eval()
    hits = seen = 0
    for x, y in loader:
        out = model(x.to(device))  # expect: DNN502
        hits += (out.argmax(1).cpu() == y).sum().item()
        seen += len(y)
    return hits / seen


def main():
    from bells import BellNet, loaders

    device = torch.device("cuda")
    train_loader, val_loader = loaders()
    model = BellNet().to(device)
    opt = torch.optim.Adam(model.parameters())
    for epoch in range(10):
        model.train()
        for x, y in train_loader:
            opt.zero_grad()
            nn.functional.cross_entropy(model(x.to(device)), y.to(device)).backward()
            opt.step()
        print(epoch, evaluate(model, val_loader, device))


main()
