import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def setup(self):
        self.model.cuda()

    def train_epoch(self, loader):
        self.model.train()
        for batch in loader:
            self.optimizer.zero_grad()
            loss = self.loss(batch)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
        return loss.item()

    def fit(self, train, val, epochs):
        self.setup()
        for epoch in range(epochs):
            loss = self.train_epoch(train)
            print(epoch, loss, self.validate(val))
            torch.save(self.model.state_dict(), "trainer.pt")
