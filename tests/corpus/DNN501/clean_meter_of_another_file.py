# A meter of another file gets the loss.
import torch

from utils.meters import AverageMeter


def train_epoch(model, loader, opt):
    meter = AverageMeter("loss")
    for x in loader:
        loss = model(x)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss.item(), x.size(0))
    return meter.avg


def fit(model, loader):
    opt = torch.optim.Adam(model.parameters())
    return [train_epoch(model, loader, opt) for _ in range(10)]
