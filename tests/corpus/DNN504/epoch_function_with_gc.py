# With gc.collect() at the top of each batch.
import gc

import torch


def train_epoch(model, loader, opt):
    for x in loader:
        gc.collect()
        torch.cuda.empty_cache()  # expect: DNN504
        loss = model(x.cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        train_epoch(model, loader, opt)
