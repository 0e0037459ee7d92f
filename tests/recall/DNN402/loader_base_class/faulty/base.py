import torch
from torch.utils.data import DataLoader


class BaseTask:
    workers = 8
    batch_size = 32
    device = "cuda"

    def train_set(self):
        raise NotImplementedError

    def loader(self):
        return DataLoader(  # expect: DNN402
            self.train_set(),
            batch_size=self.batch_size,
            shuffle=True,
            num_workers=self.workers,
            persistent_workers=True,
        )

    def fit(self, epochs):
        loader = self.loader()
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss([t.to(self.device, non_blocking=True) for t in batch])
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            print(epoch, loss.item())
        torch.save(self.model.state_dict(), "task.pt")
