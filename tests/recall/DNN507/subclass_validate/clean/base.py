import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model.cuda(), optimizer

    def loss(self, batch):
        raise NotImplementedError

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()
        return sum(self.loss(b).item() for b in loader) / len(loader)

    def fit(self, train, val, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in train:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            print(epoch, loss.item(), self.validate(val))
            torch.save(self.model.state_dict(), "m.pt")
