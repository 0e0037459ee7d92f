import torch
from torch.utils.tensorboard import SummaryWriter

from utils.stats import Meter, total_grad_norm


def train_epoch(model, criterion, loader, optimizer, scaler, writer: SummaryWriter, global_step):
    model.train()
    meter = Meter()
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast("cuda", dtype=torch.float16):
            loss = criterion(model(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        writer.add_scalar("train/grad_norm", total_grad_norm(model.parameters()).item(), global_step)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        meter.add(loss.item(), x.size(0))
        writer.add_scalar("train/loss", loss.item(), global_step)
        global_step += 1
    return meter.avg, global_step
