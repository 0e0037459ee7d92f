import torch


def train_epoch(model, loader, optimizer, accum):
    model.train()
    for i, (idx, targets) in enumerate(loader):  # or: DNN207
        boundary = (i + 1) % accum == 0 or i + 1 == len(loader)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            _, loss = model(idx.cuda(), targets.cuda())
        (loss / accum).backward()  # expect: DNN207
        if not boundary:
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
    return loss.item()
