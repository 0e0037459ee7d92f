# parse_args in a helper, the loader in a method that gets the namespace.
import argparse

import torch
from torch.utils.data import DataLoader


def options(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--data", required=True)
    ap.add_argument("--num-workers", dest="workers", default=2, type=int)
    return ap.parse_args(argv)


class Experiment:
    def __init__(self, opts):
        from kelp import KelpNet, KelpSet

        self.opts = opts
        self.loader = DataLoader(KelpSet(opts.data), 64, shuffle=True, num_workers=self.opts.workers)  # expect: DNN401
        self.net = KelpNet()
        self.opt = torch.optim.Adam(self.net.parameters())

    def run(self):
        for x, y in self.loader:
            self.opt.zero_grad()
            torch.nn.functional.cross_entropy(self.net(x), y).backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
            self.opt.step()


if __name__ == "__main__":
    Experiment(options()).run()
