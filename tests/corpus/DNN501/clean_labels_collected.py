# Labels and inputs have no graph.
import torch


def collect(model, loader, opt):
    labels, sizes = [], 0
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        labels.append(y)
        sizes += x.shape[0]
    return torch.cat(labels), sizes


def main(model, loader):
    print(collect(model, loader, torch.optim.SGD(model.parameters(), lr=0.1)))
