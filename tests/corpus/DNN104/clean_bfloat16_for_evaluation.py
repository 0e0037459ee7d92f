# Training in float16 with a scaler; only the evaluation uses bfloat16.
import torch
from torch import nn


@torch.inference_mode()
def evaluate(model, loader):
    model.eval()
    errors = []
    with torch.autocast("cuda", dtype=torch.bfloat16):
        for x, y in loader:
            errors.append((model(x.cuda()).float() - y.cuda()).abs().mean().item())
    return sum(errors) / len(errors)


def train(model, loader, val_loader, epochs):
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.mse_loss(model(x.cuda()), y.cuda())
            scaler.scale(loss).backward()
            scaler.step(opt)
            scaler.update()
        print(evaluate(model, val_loader))
