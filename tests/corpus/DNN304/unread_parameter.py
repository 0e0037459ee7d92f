import argparse

import torch


def train_epoch(model, loader, optimizer, epoch, max_grad_norm=None):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
    return epoch


def main(loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--max-grad-norm", type=float, default=1.0)
    args = parser.parse_args()
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(3):
        train_epoch(model, loader, optimizer, epoch, max_grad_norm=args.max_grad_norm)  # expect: DNN304
