import torch


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def check(self, loss):
        return True

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                if not self.check(loss):
                    continue
                loss.backward()
                self.optimizer.step()
            print(epoch, loss.item())
            torch.save(self.model.state_dict(), "m.pt")
