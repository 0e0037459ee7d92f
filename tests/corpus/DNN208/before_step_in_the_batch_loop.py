# Per batch, but one line before the optimizer: the first value of the schedule is skipped.
import torch


def train_one_epoch(model, loader, optimizer, scheduler):
    for x, y in loader:
        loss = torch.nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        scheduler.step()  # expect: DNN208
        optimizer.step()


def main(model, loader, epochs=10):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=500)
    for _ in range(epochs):
        train_one_epoch(model, loader, optimizer, scheduler)
