import torch


class BaseTrainer:
    def __init__(self, model, optimizer, clip_value=1.0):
        self.model, self.optimizer = model, optimizer
        self.clip_value = clip_value

    def step(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip_value)
        self.optimizer.step()

    def loss(self, batch):
        raise NotImplementedError

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                self.step()
            print(epoch, loss.item())
