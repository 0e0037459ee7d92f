from contextlib import nullcontext

import torch


class Engine:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def micro_step(self, batch, sync):
        with nullcontext() if sync else self.model.no_sync():
            self.model(batch).mean().backward()

    def fit(self, loader, plan):
        for i, batch in enumerate(loader):
            self.micro_step(batch, plan.ends(i))
            if (i + 1) % 4 == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
