# A comprehension over the test batches without a context.
import torch


def score(net, batches):
    net.eval()
    return sum(torch.nn.functional.mse_loss(net(x), y).item() for x, y in batches)  # expect: DNN502


def train(net, loader, test):
    opt = torch.optim.Adam(net.parameters())
    for epoch in range(5):
        net.train()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.mse_loss(net(x), y).backward()
            opt.step()
        print(epoch, score(net, test))
