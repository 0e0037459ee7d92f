# The clip is behind an option of the command line.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--clip-grad-norm", default=None, type=float, help="the maximum gradient norm")
parser.add_argument("--lr", default=0.5, type=float)


def train_one_epoch(model, loader, optimizer, args):
    for image, target in loader:
        loss = nn.functional.cross_entropy(model(image.cuda()), target.cuda())
        optimizer.zero_grad()
        loss.backward()
        if args.clip_grad_norm is not None:
            nn.utils.clip_grad_norm_(model.parameters(), args.clip_grad_norm)
        optimizer.step()


if __name__ == "__main__":
    from vision import loader, network

    args = parser.parse_args()
    net = network().cuda()
    train_one_epoch(net, loader(), torch.optim.SGD(net.parameters(), lr=args.lr), args)
