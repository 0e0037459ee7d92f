import torch


def train(model, loader, optimizer):
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=len(loader))
    scaler = torch.amp.GradScaler("cuda")
    for x, y in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = torch.nn.functional.mse_loss(model(x), y)
        scaler.scale(loss).backward()
        scale = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update()
        skip_schedule = scale > scaler.get_scale()
        if not skip_schedule:
            scheduler.step()
