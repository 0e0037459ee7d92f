# no_sync through an ExitStack.
import contextlib

import torch
from torch.nn.parallel import DistributedDataParallel as DDP


class Loop:
    def __init__(self, net, rank, accum):
        self.net = DDP(net.to(rank), device_ids=[rank])
        self.opt = torch.optim.AdamW(self.net.parameters())
        self.accum = accum

    def micro(self, batch, sync):
        with contextlib.ExitStack() as stack:
            if not sync:
                stack.enter_context(self.net.no_sync())
            loss = self.net(batch) / self.accum
            loss.backward()

    def run(self, loader):
        for i, batch in enumerate(loader):
            sync = (i + 1) % self.accum == 0
            self.micro(batch, sync)
            if sync:
                self.opt.step()
                self.opt.zero_grad()
