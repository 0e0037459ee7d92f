import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class DistributedTrainer:
    def __init__(self, model):
        dist.init_process_group("nccl")  # expect: DNN608
        self.local_rank = int(os.environ["LOCAL_RANK"])
        torch.cuda.set_device(self.local_rank)
        self.model = DistributedDataParallel(model.cuda(), device_ids=[self.local_rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-3)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            if dist.get_rank() == 0:
                print(epoch, loss.item())
                torch.save(self.model.module.state_dict(), "m.pt")
