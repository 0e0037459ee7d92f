# Each epoch masks a little more; at the end the masks stay.
import torch
from torch import nn
from torch.nn.utils import prune
from project.data import batches

net = nn.Linear(32, 4)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    prune.random_unstructured(net, name="weight", amount=0.05)  # expect: DNN807
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
torch.save(net.state_dict(), "net.pt")
