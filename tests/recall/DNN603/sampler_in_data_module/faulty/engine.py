import torch


def train_one_epoch(model, loader, optimizer, epoch):  # or: DNN603
    model.train()
    for idx, targets in loader:
        optimizer.zero_grad(set_to_none=True)
        _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return loss.item()
