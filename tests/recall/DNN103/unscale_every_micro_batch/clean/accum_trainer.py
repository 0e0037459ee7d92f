import torch
import torch.nn.functional as F


class AccumTrainer:
    def __init__(self, model, optimizer, accum_steps=4, max_norm=1.0):
        self.model = model
        self.optimizer = optimizer
        self.accum_steps = accum_steps
        self.max_norm = max_norm
        self.scaler = torch.amp.GradScaler("cuda")

    def forward_loss(self, image, target):
        with torch.autocast("cuda", dtype=torch.float16):
            return F.cross_entropy(self.model(image), target)

    def backward(self, loss):
        self.scaler.scale(loss / self.accum_steps).backward()

    def apply(self):
        self.scaler.unscale_(self.optimizer)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad(set_to_none=True)

    def epoch(self, loader):
        self.model.train()
        last = len(loader) - 1
        for i, (image, target) in enumerate(loader):
            loss = self.forward_loss(image.cuda(), target.cuda())
            self.backward(loss)
            if (i + 1) % self.accum_steps == 0 or i == last:
                self.apply()
        return loss.item()
