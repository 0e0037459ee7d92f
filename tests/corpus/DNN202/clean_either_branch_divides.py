# Each branch divides once.
import torch


def train(model, loader, opt, accum, scaler=None):
    for i, batch in enumerate(loader):
        loss = model(batch)
        if scaler is None:
            (loss / accum).backward()
        else:
            loss = loss / accum
            scaler.scale(loss).backward()
        if (i + 1) % accum == 0:
            if scaler is None:
                opt.step()
            else:
                scaler.step(opt)
                scaler.update()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    train(model, loader, opt, accum=4)
