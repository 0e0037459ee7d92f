import torch


class Trainer:
    def __init__(self, model, optimizer, accum=4):
        self.model, self.optimizer, self.accum = model, optimizer, accum
        self.pending = 0

    def before_epoch(self):
        self.model.train()
        self.optimizer.zero_grad(set_to_none=True)
        self.pending = 0

    def update(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.pending = 0

    def after_batch(self, loss):
        (loss / self.accum).backward()
        self.pending += 1
        if self.pending == self.accum:
            self.update()

    def after_epoch(self, epoch, loss):
        if self.pending:
            self.update()
        print(f"[{epoch}] {loss:.4f}")
        torch.save(self.model.state_dict(), "trainer.pt")

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            self.before_epoch()
            for batch in loader:
                loss = self.loss(batch)
                self.after_batch(loss)
            self.after_epoch(epoch, loss.item())
