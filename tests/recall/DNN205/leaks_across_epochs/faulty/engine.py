import torch


def train_epoch(model, criterion, loader, optimizer, accum):
    model.train()
    total = 0.0
    for step, (x, y) in enumerate(loader, start=1):  # or: DNN205
        loss = criterion(model(x.cuda()), y.cuda()) / accum
        loss.backward()
        if step % accum == 0:  # expect: DNN205
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
        total += loss.item() * accum
    return total / len(loader)
