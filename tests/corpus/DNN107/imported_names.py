# Names imported from torch.cuda.amp, used in a function and in main.
import torch
from torch.cuda.amp import GradScaler, autocast  # or: DNN107


def train(model, loader, optimizer, scaler, enabled):
    for x, y in loader:
        optimizer.zero_grad()
        with autocast(enabled=enabled):  # expect: DNN107
            loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()


def main(model, loader, amp=True):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = GradScaler(enabled=amp)  # expect: DNN107
    train(model, loader, optimizer, scaler, amp)
