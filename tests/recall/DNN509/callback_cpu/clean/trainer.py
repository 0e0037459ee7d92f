import torch


class Callback:
    def on_step(self, trainer, step, loss):
        pass


class Trainer:
    def __init__(self, model, optimizer, callbacks=()):
        self.model, self.optimizer, self.callbacks = model, optimizer, callbacks
        self.step = 0

    def fit(self, loader, epochs):
        for _ in range(epochs):
            self.model.train()
            for batch in loader:
                self.optimizer.zero_grad(set_to_none=True)
                loss = self.loss(batch)
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.step += 1
                for callback in self.callbacks:
                    callback.on_step(self, self.step, loss.detach())
            torch.save(self.model.state_dict(), "m.pt")
