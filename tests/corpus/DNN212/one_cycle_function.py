"""A function per epoch; the schedule is made in main and counted in steps."""
import torch
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR


def train_epoch(model, loader, optimizer, scheduler, scaler, device):
    model.train()
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(images), labels)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        scheduler.step()  # expect: DNN212


def main(loader, epochs=3):
    model = nn.Linear(32, 10).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = OneCycleLR(optimizer, max_lr=1e-2, total_steps=epochs * len(loader))
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        train_epoch(model, loader, optimizer, scheduler, scaler, "cuda")
