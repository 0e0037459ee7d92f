import torch
import torch.nn.functional as F

from utils.log import Smoothed


def train_one_epoch(net, loader, optimizer, epoch, print_freq=50):
    net.train()
    meter = Smoothed()
    for it, (x, y) in enumerate(loader):
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = F.cross_entropy(net(x), y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        if it % print_freq == 0:
            meter.update(loss.item())
            print(meter.line(epoch, it))
