# Trainer class: backward, step and update are in three methods of one class.
import torch


class Runner:
    def __init__(self, model, optimizer, use_amp=True):
        self.model = model
        self.optimizer = optimizer
        self.scaler = torch.cuda.amp.GradScaler(enabled=use_amp)
        self.use_amp = use_amp

    def forward_backward(self, batch):
        with torch.cuda.amp.autocast(enabled=self.use_amp):
            loss = self.model(**batch).loss
        self.scaler.scale(loss).backward()
        return loss

    def optimizer_step(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.scaler.step(self.optimizer)

    def after_step(self):
        self.scaler.update()
        self.optimizer.zero_grad()

    def fit(self, loader):
        self.model.train()
        for batch in loader:
            loss = self.forward_backward(batch)
            self.optimizer_step()
            self.after_step()
            print(loss.item())
