import torch

from utils.optim import finish_step, grad_norm


def train_epoch(model, loader, optimizer, log_every=50):
    model.train()
    for step, (idx, targets) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.bfloat16):
            _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()
        norm = grad_norm(model.parameters())
        finish_step(optimizer)
        if step % log_every == 0:
            print(f"{step:6d} loss {loss.item():.4f} |g| {norm.item():.3f}")
