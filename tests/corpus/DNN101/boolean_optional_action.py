# --amp/--no-amp decides about autocast, the backward pass never sees a scaler.
import argparse

import torch
from torchvision.models import mobilenet_v3_small


def get_args():
    p = argparse.ArgumentParser()
    p.add_argument("--amp", action=argparse.BooleanOptionalAction, default=True)
    p.add_argument("--epochs", type=int, default=30)
    return p.parse_args()


def run_epoch(args, net, loader, optimizer):
    for pictures, classes in loader:
        pictures, classes = pictures.cuda(), classes.cuda()
        with torch.cuda.amp.autocast(enabled=args.amp):
            loss = torch.nn.functional.cross_entropy(net(pictures), classes)
        optimizer.zero_grad()
        loss.backward()  # expect: DNN101
        optimizer.step()


def main():
    args = get_args()
    net = mobilenet_v3_small(num_classes=10).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    from pictures import train_loader

    for _ in range(args.epochs):
        run_epoch(args, net, train_loader(), optimizer)


if __name__ == "__main__":
    main()
