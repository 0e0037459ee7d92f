class HookedTrainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def before_step(self):
        """Called with fresh gradients, before the update."""

    def after_step(self):
        """Called when the parameters were updated."""

    def loss(self, batch):
        raise NotImplementedError

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                loss.backward()
                self.before_step()
                self.optimizer.step()
                self.after_step()
            print(epoch, loss.item())
