# Trainer class: dtype and scaler are attributes that do not know of each other.
import torch


class Seq2SeqTrainer:
    def __init__(self, model, loader, lr):
        self.model = model.cuda()
        self.loader = loader
        self.dtype = torch.bfloat16
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")  # expect: DNN104

    def train(self):
        self.model.train()
        for source, target in self.loader:
            with torch.autocast("cuda", dtype=self.dtype):
                loss = self.model(source.cuda(), target.cuda())
            self.optimizer.zero_grad()
            self.scaler.scale(loss).backward()
            self.scaler.unscale_(self.optimizer)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.scaler.step(self.optimizer)
            self.scaler.update()
