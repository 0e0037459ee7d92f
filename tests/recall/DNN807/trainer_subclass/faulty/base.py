import torch


class Trainer:
    def __init__(self, model, optimizer_fn):
        self.model, self.optimizer_fn = model, optimizer_fn

    def on_fit_start(self):
        pass

    def on_fit_end(self):
        pass

    def fit(self, loader, epochs):
        self.on_fit_start()
        optimizer = self.optimizer_fn(self.model.parameters())
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                optimizer.step()
            print(epoch, loss.item())
        self.on_fit_end()
        torch.save(self.model.state_dict(), "final.pt")
