import argparse

from project.comm import init_distributed
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))

    def forward(self, x):
        return self.body(x)


def main(args):
    init_distributed(args)
    model = DDP(Net().to(args.gpu), device_ids=[args.gpu])
    return model


if __name__ == "__main__":
    main(argparse.Namespace(gpu=0))
