from accelerate import Accelerator


class AccelTrainer:
    def __init__(self, model, optimizer, loader):
        self.accelerator = Accelerator(mixed_precision="bf16")
        self.model, self.optimizer, self.loader = self.accelerator.prepare(model, optimizer, loader)

    def backward(self, loss):
        self.accelerator.backward(loss)

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for batch in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                self.backward(loss)
                self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            self.accelerator.print(epoch, loss.item())
            self.accelerator.save_state("ck")
