# eval() comes after the epochs.
import torch


def main(model, loader, test_loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    model.train()
    for _ in range(10):
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
    model.eval()
    with torch.no_grad():
        print([model(x).mean().item() for x in test_loader])
