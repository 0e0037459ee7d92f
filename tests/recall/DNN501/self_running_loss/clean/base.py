import torch


class BaseTrainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model.cuda(), optimizer
        self.running = 0.0
        self.history = []

    def on_batch(self, loss):
        raise NotImplementedError

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.running = 0.0
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.on_batch(loss)
            self.history.append(float(self.running) / len(loader))
            print(epoch, self.history[-1])
        torch.save(self.model.state_dict(), "m.pt")
