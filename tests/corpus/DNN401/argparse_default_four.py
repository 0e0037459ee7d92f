# The default of a command-line option.
import argparse

import torch
import torch.utils.data as data
from torchvision import datasets
from torchvision.transforms import ToTensor


def get_parser():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default="food")
    parser.add_argument("-b", "--batch-size", default=32, type=int)
    parser.add_argument("-j", "--workers", default=4, type=int, metavar="N")
    return parser


def main(args):
    dataset = datasets.Food101(args.root, transform=ToTensor(), download=True)
    loader = data.DataLoader(  # expect: DNN401
        dataset, batch_size=args.batch_size, shuffle=True, num_workers=args.workers, pin_memory=True
    )
    from foodnet import FoodNet

    net = FoodNet().cuda()
    opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            net.loss(x.cuda(), y.cuda()).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()


if __name__ == "__main__":
    main(get_parser().parse_args())
