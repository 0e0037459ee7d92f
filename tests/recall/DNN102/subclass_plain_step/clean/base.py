import torch


class Runner:
    def __init__(self, model, optimizer, use_amp=True):
        self.model, self.optimizer = model, optimizer
        self.use_amp = use_amp
        self.scaler = torch.amp.GradScaler("cuda", enabled=use_amp)

    def loss(self, batch):
        raise NotImplementedError

    def optimizer_step(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def run(self, loader, epochs):
        for epoch in range(epochs):
            for batch in loader:
                self.optimizer.zero_grad()
                with torch.autocast("cuda", dtype=torch.float16, enabled=self.use_amp):
                    loss = self.loss(batch)
                self.scaler.scale(loss).backward()
                self.optimizer_step()
            print(epoch, float(loss))
