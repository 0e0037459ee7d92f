# backward inside no_sync and record_function, after the autocast block has ended.
import torch
from torch.profiler import record_function


def micro_step(ddp, batch, last):
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = ddp(batch).mean() / 4
    with record_function("backward"):
        if last:
            loss.backward()
        else:
            with ddp.no_sync():
                loss.backward()


def train(ddp, loader, opt):
    for i, batch in enumerate(loader):
        last = i % 4 == 3
        micro_step(ddp, batch.cuda(), last)
        if last:
            opt.step()
            opt.zero_grad()
