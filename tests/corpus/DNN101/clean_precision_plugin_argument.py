# The scaler comes as an argument that may be disabled; the branch is a conditional expression.
import torch


def update(model, opt, batch, scaler):
    with torch.autocast("cuda", dtype=torch.float16, enabled=scaler.is_enabled()):
        loss = model(batch)
    scaled = scaler.scale(loss) if scaler.is_enabled() else loss
    opt.zero_grad()
    scaled.backward()
    scaler.step(opt)
    scaler.update()
    return loss.detach()


def train(model, loader, half):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", enabled=half)
    return [update(model, opt, b.cuda(), scaler).item() for b in loader]
