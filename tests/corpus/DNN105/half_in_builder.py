# A builder returns the network in float16.
import torch
from torch import nn


def build(width):
    net = nn.Sequential(nn.Linear(20, width), nn.ReLU(), nn.Linear(width, 2))
    return net.to("cuda", torch.float16)  # expect: DNN105


def main():
    from coins import batches

    net = build(64)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for x, y in batches():
        opt.zero_grad()
        nn.functional.cross_entropy(net(x.cuda().half()).float(), y.cuda()).backward()
        opt.step()


main()
