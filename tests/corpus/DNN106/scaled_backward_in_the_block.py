# The scaled backward is inside the block too.
import torch
from torch.cuda.amp import GradScaler, autocast


def train_one_epoch(net, loader, optim, scaler: GradScaler):
    net.train()
    for img, box in loader:
        optim.zero_grad()
        with autocast():
            losses = net(img.cuda(), box.cuda())
            total = sum(losses.values())
            scaler.scale(total).backward()  # expect: DNN106
        scaler.step(optim)
        scaler.update()


def main():
    from boxes import DetectorNet, loader

    net = DetectorNet().cuda()
    optim = torch.optim.SGD(net.parameters(), lr=0.005, momentum=0.9)
    scaler = GradScaler()
    for _ in range(12):
        train_one_epoch(net, loader("train"), optim, scaler)


main()
