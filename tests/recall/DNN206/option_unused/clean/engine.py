import torch
import torch.nn.functional as F


def train_epoch(net, loader, optimizer, accum):
    net.train()
    optimizer.zero_grad()
    for i, (x, y) in enumerate(loader):
        loss = F.cross_entropy(net(x.cuda()), y.cuda())
        (loss / accum).backward()
        if (i + 1) % accum == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
    return loss.item()
