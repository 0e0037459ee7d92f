# Fabric: is_accumulating guards the step, the loss is divided.
import torch
from lightning.fabric import Fabric

from tunes import Composer, midi_loader

fabric = Fabric(accelerator="cuda", devices=4, strategy="ddp", precision="bf16-mixed")
fabric.launch()
model = Composer()
model, optimizer = fabric.setup(model, torch.optim.AdamW(model.parameters(), lr=3e-4))
loader = fabric.setup_dataloaders(midi_loader())
accumulate = 8
for i, notes in enumerate(loader):
    is_accumulating = (i + 1) % accumulate != 0
    with fabric.no_backward_sync(model, enabled=is_accumulating):
        loss = model(notes)
        fabric.backward(loss / accumulate)
    if not is_accumulating:
        fabric.clip_gradients(model, optimizer, max_norm=1.0)
        optimizer.step()
        optimizer.zero_grad()
