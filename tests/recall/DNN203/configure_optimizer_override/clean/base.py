import torch


class AccumulatingTrainer:
    accum = 4

    def __init__(self, model, lr):
        self.model, self.lr = model.cuda(), lr
        self.optimizer = self.configure_optimizer()

    def configure_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.lr)

    def loss(self, batch):
        raise NotImplementedError

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.optimizer.zero_grad()
            for i, batch in enumerate(loader):
                loss = self.loss(batch)
                (loss / self.accum).backward()
                if (i + 1) % self.accum == 0 or i + 1 == len(loader):
                    torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                    self.optimizer.step()
                    self.optimizer.zero_grad()
            print(epoch, loss.item())
        torch.save(self.model.state_dict(), "model.pt")
