# FSDP's scaler is current.
import torch
from torch.distributed.fsdp.sharded_grad_scaler import ShardedGradScaler


def make_tools(model):
    return torch.optim.AdamW(model.parameters()), ShardedGradScaler()


def train(model, loader):
    opt, scaler = make_tools(model)
    for batch in loader:
        with torch.autocast("cuda"):
            loss = model(batch)
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
