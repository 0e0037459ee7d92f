import torch


def train_epoch(model, criterion, loader, optimizer, accum, micro_step):
    model.train()
    total = 0.0
    for x, y in loader:
        loss = criterion(model(x.cuda()), y.cuda()) / accum
        loss.backward()
        micro_step += 1
        if micro_step % accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        total += loss.item() * accum
    return total / len(loader), micro_step
