import torch

USE_AMP = False

model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters())
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer)
scaler = torch.amp.GradScaler("cpu", enabled=USE_AMP)
for x in loader:
    optimizer.zero_grad()
    loss = (model(x) - x).pow(2).mean()
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    scheduler.step()
