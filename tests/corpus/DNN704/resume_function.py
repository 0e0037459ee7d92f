# A resume function of a CUDA script.
import argparse

import torch


def resume(path, model, optimizer):
    checkpoint = torch.load(path, weights_only=True)  # expect: DNN704
    model.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    return checkpoint["epoch"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--resume", type=str)
    args = parser.parse_args()
    from coasts import CoastNet, loader

    device = torch.device("cuda:0")
    model = CoastNet().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    start = resume(args.resume, model, optimizer) if args.resume else 0
    for epoch in range(start, 40):
        for x, y in loader():
            optimizer.zero_grad()
            torch.nn.functional.mse_loss(model(x.to(device)), y.to(device)).backward()
            optimizer.step()


main()
