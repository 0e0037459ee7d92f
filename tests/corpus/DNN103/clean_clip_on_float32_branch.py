# The clip without unscale_ is on the branch that has no scaler.
import torch
from torch.nn.utils import clip_grad_norm_


def update(loss, model, optimizer, scaler):
    optimizer.zero_grad()
    if scaler:
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
    else:
        loss.backward()
        clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()


def run(model, loader, fp16=False):
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cuda") if fp16 else None
    for user, item, clicked in loader:
        with torch.autocast("cuda", dtype=torch.float16, enabled=fp16):
            loss = model(user.cuda(), item.cuda(), clicked.cuda())
        update(loss, model, optimizer, scaler)
