# accelerate was given a precision.
import torch
from accelerate import Accelerator

from logs import AnomalyNet, loader

accelerator = Accelerator(mixed_precision="bf16")
model = AnomalyNet()
opt = torch.optim.Adam(model.parameters())
model, opt, data = accelerator.prepare(model, opt, loader())
for line in data:
    opt.zero_grad()
    loss = model(line)
    accelerator.backward(loss)
    opt.step()
