import torch
from torch.utils.data import DataLoader


class BaseTrainer:
    def __init__(self, model, optimizer, train_set, batch_size=64):
        self.model, self.optimizer = model, optimizer
        self.train_set, self.batch_size = train_set, batch_size

    def get_loader(self, dataset, shuffle=False):
        return DataLoader(dataset, batch_size=self.batch_size, shuffle=shuffle, num_workers=8, pin_memory=True)  # or: DNN404

    def fit(self, epochs):
        loader = self.get_loader(self.train_set)  # expect: DNN404
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            print(epoch, loss.item())
        torch.save(self.model.state_dict(), "m.pt")
