# The boundary is a name that includes the end of the loader.
import torch


def train_epoch(model, loader, opt, accum):
    total = len(loader)
    for i, (x, y) in enumerate(loader):
        is_last = i == total - 1
        update = is_last or (i + 1) % accum == 0
        loss = torch.nn.functional.mse_loss(model(x), y) / accum
        loss.backward()
        if update:
            opt.step()
            opt.zero_grad()


def main(model, loader):
    opt = torch.optim.Adam(model.parameters())
    for _ in range(10):
        train_epoch(model, loader, opt, 16)
