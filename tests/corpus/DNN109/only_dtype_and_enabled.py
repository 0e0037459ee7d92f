# dtype and enabled are given, the device is not.
import argparse

import torch

cli = argparse.ArgumentParser()
cli.add_argument("--amp", action="store_true")
flags = cli.parse_args()


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters())

    def step(self, batch):
        with torch.amp.autocast(dtype=torch.bfloat16, enabled=flags.amp):  # expect: DNN109
            loss = self.net(batch).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
