import torch


def train_one_epoch(model, loader, optimizer, epoch):
    model.train()
    loader.batch_sampler.sampler.set_epoch(epoch)
    for idx, targets in loader:
        optimizer.zero_grad(set_to_none=True)
        _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    return loss.item()
