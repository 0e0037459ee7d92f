# FSDP model as an attribute of a trainer.
import torch
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.nn.utils import clip_grad_norm_


class ShardedTrainer:
    def __init__(self, net, loader):
        self.net = FullyShardedDataParallel(net.cuda(), use_orig_params=True)
        self.loader = loader
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=2e-4)

    def train(self):
        for ids in self.loader:
            loss = self.net(ids.cuda())
            self.opt.zero_grad()
            loss.backward()
            clip_grad_norm_(self.net.parameters(), 1.0)  # expect: DNN305
            self.opt.step()
