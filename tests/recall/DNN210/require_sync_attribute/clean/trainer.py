import torch
from torch.nn.parallel import DistributedDataParallel


class Trainer:
    def __init__(self, model, rank, accum):
        self.ddp = DistributedDataParallel(model, device_ids=[rank])
        self.optimizer = torch.optim.SGD(self.ddp.parameters(), lr=0.1, momentum=0.9)
        self.rank, self.accum = rank, accum

    def loss(self, batch):
        raise NotImplementedError

    def step(self):
        torch.nn.utils.clip_grad_norm_(self.ddp.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)

    def epoch(self, loader, epoch):
        loader.sampler.set_epoch(epoch)
        for i, batch in enumerate(loader, start=1):
            boundary = i % self.accum == 0 or i == len(loader)
            self.ddp.require_backward_grad_sync = boundary
            loss = self.loss(batch) / self.accum
            loss.backward()
            if boundary:
                self.step()
        if self.rank == 0:
            print(f"epoch {epoch}: {loss.item() * self.accum:.4f}")
            torch.save(self.ddp.module.state_dict(), "ddp.pt")
