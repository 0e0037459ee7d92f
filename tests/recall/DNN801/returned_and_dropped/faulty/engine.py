import torch


def train_one_epoch(model, loader, optimizer):
    model.train()
    total = 0.0
    for idx, targets in loader:  # or: DNN801
        optimizer.zero_grad(set_to_none=True)
        _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()  # expect: DNN801
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        total += loss.item()
    return total / len(loader)
