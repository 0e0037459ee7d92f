# The step is called through a small function for each optimizer.
import torch


def apply(optimizer):
    optimizer.step()  # expect: DNN301
    optimizer.zero_grad()


def train(model, loader):
    opts = [torch.optim.SGD(model.body.parameters(), lr=0.1), torch.optim.Adam(model.head.parameters())]
    for x, y in loader:
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()

        print(loss.item())

        for o in opts:
            apply(o)  # or: DNN301
