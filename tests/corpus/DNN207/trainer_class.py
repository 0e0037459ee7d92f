# Trainer class whose model is wrapped in __init__.
import torch
from torch.nn.parallel import DistributedDataParallel as DDP


class DistTrainer:
    def __init__(self, net, rank, accum_steps=4):
        self.rank = rank
        self.accum_steps = accum_steps
        self.net = DDP(net.to(rank), device_ids=[rank])
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)

    def train(self, loader):
        self.opt.zero_grad()
        for i, (x, y) in enumerate(loader):
            loss = torch.nn.functional.cross_entropy(self.net(x.to(self.rank)), y.to(self.rank))
            (loss / self.accum_steps).backward()  # expect: DNN207
            if (i + 1) % self.accum_steps == 0:
                self.opt.step()
                self.opt.zero_grad()
