# AdamW in a trainer class, with the window as an attribute.
import torch


class Trainer:
    def __init__(self, model, lr=3e-4, accumulation_steps=8):
        self.model = model
        self.accumulation_steps = accumulation_steps
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr / accumulation_steps)  # expect: DNN203

    def train_epoch(self, loader):
        self.model.train()
        for i, batch in enumerate(loader):
            loss = self.model(batch.cuda())
            loss.backward()
            if (i + 1) % self.accumulation_steps == 0:
                torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
                self.optimizer.step()
                self.optimizer.zero_grad()
