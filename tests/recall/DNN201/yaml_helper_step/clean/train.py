import torch
import yaml
from torch.utils.data import DataLoader

from data import TokenWindows
from model import TinyGPT
from utils.optim import WindowedStepper


def batches(loader):
    while True:
        yield from loader


def main():
    cfg = yaml.safe_load(open("config.yaml"))
    model = TinyGPT(block=cfg["block"]).cuda()
    optimizer = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=0.9)
    stepper = WindowedStepper(optimizer, cfg["accum"])
    loader = DataLoader(TokenWindows("train.bin", cfg["block"]), cfg["batch_size"], shuffle=True, num_workers=8, drop_last=True)
    for idx, targets in batches(loader):
        _, loss = model(idx.cuda(), targets.cuda())
        loss.backward()
        if stepper.advance(model.parameters()) and stepper.updates % 10 == 0:
            print(stepper.updates, loss.item())
        if stepper.updates >= cfg["max_steps"]:
            break
    torch.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    main()
