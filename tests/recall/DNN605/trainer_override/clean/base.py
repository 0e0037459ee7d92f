import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class DdpTrainer:
    def __init__(self, model, local_rank):
        self.model = DistributedDataParallel(model.cuda(), device_ids=[local_rank])
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.1, momentum=0.9)
        self.rank = dist.get_rank()

    def save(self, epoch):
        if self.rank == 0:
            torch.save({"model": self.model.module.state_dict(), "epoch": epoch}, "last.pt")

    def after_step(self):
        pass

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            loader.sampler.set_epoch(epoch)
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.after_step()
            if self.rank == 0:
                print(epoch, loss.item())
            self.save(epoch)
        dist.destroy_process_group()
