# The update is a local function.
import torch
from torch import nn


def experiment(seed, width, loader):
    torch.manual_seed(seed)
    model = nn.Sequential(nn.Linear(10, width), nn.Tanh(), nn.Linear(width, 1))
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.02)

    def update(x, y):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # expect: DNN301
        return loss.item()

    return [update(x, y) for _ in range(20) for x, y in loader]


if __name__ == "__main__":
    from bench import points

    for width in (8, 32, 128):
        print(width, experiment(0, width, points())[-1])
