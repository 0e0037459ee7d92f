# The window grows during warm-up; the loss is a sum times the batch, as the nominal batch wants it.
import torch
from torch import nn


def train(detector, loader, batch, nominal=64, warmup=1000):
    opt = torch.optim.SGD(detector.parameters(), lr=0.01, momentum=0.9)
    last_step = -1
    for i, (image, boxes) in enumerate(loader):
        fraction = min(1.0, i / warmup)
        accumulate = max(1, round(1 + fraction * (nominal / batch - 1)))
        loss, parts = detector.loss(detector(image.cuda()), boxes.cuda())
        loss = loss * batch
        loss.backward()
        if i - last_step >= accumulate:
            nn.utils.clip_grad_norm_(detector.parameters(), 10.0)
            opt.step()
            opt.zero_grad()
            last_step = i
