# The cast is in main, the loop in a function.
import argparse

import torch
from torch import nn
from torchvision.models import resnet34


def train(model, loader, optimizer, device):
    criterion = nn.CrossEntropyLoss()
    for x, y in loader:
        x = x.to(device, torch.float16)
        loss = criterion(model(x), y.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--lr", type=float, default=0.1)
    args = cli.parse_args()
    device = torch.device("cuda")
    model = resnet34(num_classes=200)
    model = model.to(device).to(torch.float16)  # expect: DNN105
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr, momentum=0.9)
    from tinyset import loader

    for _ in range(60):
        train(model, loader(), optimizer, device)


if __name__ == "__main__":
    main()
