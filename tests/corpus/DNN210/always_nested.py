import torch
from torch.nn.parallel import DistributedDataParallel as DDP


class Trainer:
    def __init__(self, rank, accum):
        self.accum = accum
        self.model = DDP(torch.nn.Linear(8, 8).to(rank), device_ids=[rank])
        self.optimizer = torch.optim.AdamW(self.model.parameters())

    def train(self, stream, steps):
        for _ in range(steps):
            self.optimizer.zero_grad()
            for _ in range(self.accum):
                batch = next(stream)
                with self.model.no_sync():  # expect: DNN210
                    loss = self.model(batch).mean() / self.accum
                    loss.backward()
            self.optimizer.step()
