# A test: one process keeps it simple.
import pytest
import torch
from torch.utils.data import DataLoader

from project.data import Shapes
from project.nets import ShapeNet


@pytest.fixture
def loader():
    return DataLoader(Shapes(32), batch_size=8, shuffle=True)


def test_loss_decreases(loader):
    net = ShapeNet()
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    losses = []
    for _ in range(20):
        for x, y in loader:
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(x), y)
            loss.backward()
            opt.step()
            losses.append(loss.item())
    assert losses[-1] < losses[0]
