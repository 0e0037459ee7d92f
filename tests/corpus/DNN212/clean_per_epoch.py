import torch


class Trainer:
    def __init__(self, model, loader):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        self.scheduler = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, [30, 60])
        self.scaler = torch.amp.GradScaler("cuda")

    def epoch(self):
        for x, y in self.loader:
            self.optimizer.zero_grad()
            with torch.autocast("cuda"):
                loss = torch.nn.functional.cross_entropy(self.model(x), y)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.scaler.update()

    def fit(self, epochs):
        for _ in range(epochs):
            self.epoch()
            self.scheduler.step()
