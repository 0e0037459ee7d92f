# The device is in a starred argument.
import torch

ARGS = ("cuda", torch.bfloat16)


def forward(net, x):
    with torch.autocast(*ARGS):
        return net(x)
