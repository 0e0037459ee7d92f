import torch


class BaseTrainer:
    def __init__(self, model, optimizer, loader, epochs):
        self.model = model.cuda()
        self.optimizer = optimizer
        self.loader = loader
        self.epochs = epochs
        self.scaler = torch.amp.GradScaler("cuda")

    def compute_loss(self, batch):
        raise NotImplementedError

    def optimize(self, loss):
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()

    def fit(self):
        for epoch in range(self.epochs):
            self.model.train()
            for batch in self.loader:
                with torch.autocast(device_type="cuda", dtype=torch.float16):
                    loss = self.compute_loss([t.cuda(non_blocking=True) for t in batch])
                self.optimize(loss)
            print(f"epoch {epoch}: {loss.item():.4f}")
