# ignite calls the update function for each batch; the loss is divided there.
import torch
from ignite.engine import Engine, Events
from torch import nn

from kelp import KelpNet, loader

ACCUM = 4
model = KelpNet()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def update(engine, batch):
    x, y = batch
    loss = nn.functional.cross_entropy(model(x), y) / ACCUM
    loss.backward()
    if engine.state.iteration % ACCUM == 0:
        opt.step()
        opt.zero_grad()
    return loss.item() * ACCUM


trainer = Engine(update)
trainer.add_event_handler(Events.EPOCH_COMPLETED, lambda engine: print(engine.state.epoch, engine.state.output))
trainer.run(loader(), max_epochs=10)
