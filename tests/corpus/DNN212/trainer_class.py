"""State on self; the scheduler of transformers."""
import torch
from transformers import get_cosine_schedule_with_warmup


class Trainer:
    def __init__(self, model, loader, total):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-4)
        self.scheduler = get_cosine_schedule_with_warmup(self.optimizer, 100, total)
        self.scaler = torch.cuda.amp.GradScaler()

    def train_step(self, batch):
        self.optimizer.zero_grad()
        with torch.cuda.amp.autocast():
            loss = self.model(batch["x"], batch["y"])
        self.scaler.scale(loss).backward()
        self.optimize()
        return loss.detach()

    def optimize(self):
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.scheduler.step()  # expect: DNN212

    def fit(self):
        for batch in self.loader:
            self.train_step(batch)
