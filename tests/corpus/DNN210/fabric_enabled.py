import torch
from lightning.fabric import Fabric


def main(loader):
    fabric = Fabric(devices=4, strategy="ddp")
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model, optimizer = fabric.setup(model, optimizer)
    loader = fabric.setup_dataloaders(loader)
    for iteration, batch in enumerate(loader):
        with fabric.no_backward_sync(model, enabled=iteration % 8 != 0):  # expect: DNN210
            loss = model(batch).mean() / 8
            fabric.backward(loss)
        if (iteration + 1) % 8 == 0:
            optimizer.step()
            optimizer.zero_grad()
