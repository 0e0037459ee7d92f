import torch


class Trainer:
    def __init__(self, model, optimizer, loader):
        self.model, self.optimizer, self.loader = model, optimizer, loader

    def on_epoch_start(self, epoch):
        self.model.train()

    def on_epoch_end(self, epoch, loss):
        pass

    def fit(self, epochs):
        for epoch in range(epochs):  # or: DNN603
            self.on_epoch_start(epoch)
            for batch in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            self.on_epoch_end(epoch, loss.item())
