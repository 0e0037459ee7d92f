import torch
from lightning.fabric import Fabric

fabric = Fabric(devices=4)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model, optimizer = fabric.setup(model, optimizer)
for iteration, batch in enumerate(loader):
    is_accumulating = (iteration + 1) % 8 != 0
    with fabric.no_backward_sync(model, enabled=is_accumulating):
        fabric.backward(model(batch).mean() / 8)
    if not is_accumulating:
        optimizer.step()
        optimizer.zero_grad()
