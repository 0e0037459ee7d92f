import os

from accelerate import Accelerator


class AccelTrainer:
    def __init__(self, model, optimizer, loader, out="ck"):
        self.accelerator = Accelerator(mixed_precision="bf16")
        self.model, self.optimizer, self.loader = self.accelerator.prepare(model, optimizer, loader)
        self.out = out

    def save(self, epoch):
        self.accelerator.save_state(os.path.join(self.out, f"epoch_{epoch}"))

    def resume(self):
        done = sorted(os.listdir(self.out), key=lambda n: int(n.split("_")[1])) if os.path.isdir(self.out) else []
        if not done:
            return 0
        self.accelerator.load_state(os.path.join(self.out, done[-1]))
        return int(done[-1].split("_")[1]) + 1

    def fit(self, epochs):
        for epoch in range(self.resume(), epochs):
            self.model.train()
            for batch in self.loader:
                self.optimizer.zero_grad()
                loss = self.loss(batch)
                self.accelerator.backward(loss)
                self.accelerator.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
            self.accelerator.print(epoch, loss.item())
            self.save(epoch)
