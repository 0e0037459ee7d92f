# A helper wraps when asked.
import argparse

import torch
from torch import nn

ap = argparse.ArgumentParser()
ap.add_argument("--multi-gpu", action="store_true")


def prepare(net, multi):
    net = net.cuda()
    return nn.DataParallel(net, device_ids=list(range(torch.cuda.device_count()))) if multi else net  # expect: DNN601


def main():
    args = ap.parse_args()
    from kelp import KelpNet, loader

    net = prepare(KelpNet(), args.multi_gpu)
    opt = torch.optim.Adam(net.parameters())
    for x in loader():
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        opt.step()


main()
