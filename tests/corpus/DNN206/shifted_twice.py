# enumerate from 1 and i + 1: the first window is one short.
import torch


def train_epoch(model, loader, opt, n):
    for i, batch in enumerate(loader, 1):
        loss = model(batch) / n
        loss.backward()
        if (i + 1) % n == 0:  # expect: DNN206
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(10):
        train_epoch(model, loader, opt, n=4)
