import torch
import torch.nn.functional as F

from utils.meters import AverageMeter


def train_epoch(net, loader, optimizer, epoch):
    losses = AverageMeter("Loss")
    net.train()
    for x, y in loader:
        loss = F.cross_entropy(net(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        losses.update(loss, x.size(0))  # expect: DNN501
    print(epoch, losses)
    return losses.avg
