import torch

from utils.optim import finish_step, grad_norm


def train_epoch(model, loader, optimizer, log_every=50):
    model.train()
    for step, (idx, targets) in enumerate(loader):  # or: DNN301
        with torch.autocast("cuda", dtype=torch.bfloat16):
            _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()  # or: DNN301
        norm = grad_norm(model.parameters())
        finish_step(optimizer)  # expect: DNN301
        if step % log_every == 0:
            print(f"{step:6d} loss {loss.item():.4f} |g| {norm.item():.3f}")
