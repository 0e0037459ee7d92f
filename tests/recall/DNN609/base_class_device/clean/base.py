import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class DistributedTrainer:
    device = "cuda:0"

    def __init__(self, model):
        dist.init_process_group("nccl")
        self.model = DistributedDataParallel(model.to(self.device))
        self.optimizer = torch.optim.AdamW(self.model.parameters(), 1e-3)

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss([t.to(self.device) for t in batch])
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            if dist.get_rank() == 0:
                print(epoch, loss.item())
                torch.save(self.model.module.state_dict(), "m.pt")
        dist.destroy_process_group()
