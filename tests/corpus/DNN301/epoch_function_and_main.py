# The step is in an epoch function that gets model, loader and optimizer.
import argparse

import torch
from torchvision.models import resnet50


def train(model, train_loader, criterion, optimizer, epoch, device):
    model.train()
    for i, (images, target) in enumerate(train_loader):
        images = images.to(device, non_blocking=True)
        target = target.to(device, non_blocking=True)
        loss = criterion(model(images), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()  # expect: DNN301
        if i % 10 == 0:
            print(epoch, i, loss.item())


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--epochs", type=int, default=90)
    args = cli.parse_args()
    from folders import image_loader

    device = torch.device("cuda")
    model = resnet50().to(device)
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9, weight_decay=1e-4)
    criterion = torch.nn.CrossEntropyLoss()
    for epoch in range(args.epochs):
        train(model, image_loader("train"), criterion, optimizer, epoch, device)


if __name__ == "__main__":
    main()
