import torch


class BaseTrainer:
    def __init__(self, model):
        self.model = model.cuda()
        self.optimizer = self.configure_optimizer()

    def configure_optimizer(self):
        raise NotImplementedError

    def step(self, batch):
        optimizer = self.optimizer
        optimizer.zero_grad()
        loss = self.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        optimizer.step()
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                loss = self.step(batch)
            print(epoch, loss)
            torch.save(self.model.state_dict(), "m.pt")
