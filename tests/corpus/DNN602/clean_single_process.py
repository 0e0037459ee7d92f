import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


def train_epoch(model, loader, opt, device):
    model.train()
    for x, y in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(x.to(device)), y.to(device))
        loss.backward()
        opt.step()


def main():
    model = Net()
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = DataLoader(CIFAR10("data", train=True), batch_size=64, shuffle=True)
    for epoch in range(10):
        train_epoch(model, loader, opt, "cpu")
