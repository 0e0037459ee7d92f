# A test writes a checkpoint.
import pytest
import torch
from torch import nn
from torch.utils.data import DataLoader


def run(epochs):
    net = nn.Linear(4, 2).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    batches = DataLoader([(torch.ones(4), 1)] * 8, batch_size=2)
    for epoch in range(epochs):
        for images, labels in batches:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(net(images.cuda()), labels.cuda())
            loss.backward()
            optimizer.step()
        state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "last.pt")


@pytest.mark.parametrize("epochs", [1, 2])
def test_it_runs(epochs):
    run(epochs)


run(1)
