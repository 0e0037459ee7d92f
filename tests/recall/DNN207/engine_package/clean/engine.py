from contextlib import nullcontext

import torch


def train_epoch(model, loader, optimizer, accum):
    model.train()
    for i, (idx, targets) in enumerate(loader):
        boundary = (i + 1) % accum == 0 or i + 1 == len(loader)
        with nullcontext() if boundary else model.no_sync():
            with torch.autocast("cuda", dtype=torch.bfloat16):
                _, loss = model(idx.cuda(), targets.cuda())
            (loss / accum).backward()
        if not boundary:
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return loss.item()
