# The project's own module named amp, with own classes of the same names.
import torch

from project.cuda import amp
from project.cuda.amp import GradScaler


def train(model, loader):
    opt = torch.optim.Adam(model.parameters())
    scaler = GradScaler()
    for batch in loader:
        with amp.autocast():
            loss = model(batch)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
