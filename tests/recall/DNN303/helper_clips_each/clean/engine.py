import torch.nn.functional as F


def train_epoch(model, loader, accumulator):
    model.train()
    total = 0.0
    for i, (x, y) in enumerate(loader, start=1):
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        accumulator.accumulate(loss)
        if i % accumulator.parts == 0 or i == len(loader):
            accumulator.apply()
        total += loss.item()
    return total / len(loader)
