# A softmax inside, over attention weights.
import torch
from torch import nn


class Pool(nn.Module):
    def __init__(self, dim, classes):
        super().__init__()
        self.query = nn.Linear(dim, 1)
        self.out = nn.Linear(dim, classes)

    def forward(self, x):
        weights = torch.softmax(self.query(x), dim=1)
        return self.out((weights * x).sum(1)), weights


def fit(loader):
    model = Pool(32, 4)
    opt = torch.optim.Adam(model.parameters())
    for x, y in loader:
        opt.zero_grad()
        scores, weights = model(x)
        loss = nn.CrossEntropyLoss()(scores, y) + 0.1 * (weights**2).mean()
        loss.backward()
        opt.step()
