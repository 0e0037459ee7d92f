# Trainer class: the clip comes after scaler.step.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def step(self, batch):
        self.opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = self.model(batch)
        self.scaler.scale(loss).backward()
        self.scaler.step(self.opt)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)  # expect: DNN302
        self.scaler.update()

    def fit(self, loader):
        for batch in loader:
            self.step(batch.cuda())
