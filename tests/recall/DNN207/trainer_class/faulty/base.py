import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class DistributedTrainer:
    def __init__(self, model, optimizer_fn, accum):
        dist.init_process_group("nccl")
        self.rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.rank)
        self.model = DistributedDataParallel(model.cuda(), device_ids=[self.rank])  # or: DNN207
        self.optimizer = optimizer_fn(self.model.parameters())
        self.accum = accum

    def loss(self, batch):
        raise NotImplementedError
