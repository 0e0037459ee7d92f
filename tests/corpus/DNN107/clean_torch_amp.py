# The current names.
import torch


def train(model, loader, opt):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        opt.zero_grad()
        with torch.amp.autocast("cuda", dtype=torch.float16):
            loss = model(batch.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
