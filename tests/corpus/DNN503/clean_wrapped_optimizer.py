# An own optimizer wrapper of another file: it may clear.
import torch

from schedules import ScheduledOptim
from translate import Transformer, loader

model = Transformer().cuda()
optimizer = ScheduledOptim(torch.optim.Adam(model.parameters(), betas=(0.9, 0.98)), 2.0, 512, 4000)
for src, dst in loader():
    loss = model(src.cuda(), dst.cuda())
    loss.backward()
    optimizer.step_and_update_lr()
