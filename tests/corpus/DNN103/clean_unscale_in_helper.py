# unscale_ and the clip are in a method that is called before the step.
import torch


class Fitter:
    clip_norm = 5.0

    def __init__(self, model):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(model.parameters())
        self.scaler = torch.cuda.amp.GradScaler()

    def _clip(self):
        self.scaler.unscale_(self.optimizer)
        return torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip_norm)

    def fit_batch(self, x, y):
        with torch.cuda.amp.autocast():
            loss = torch.nn.functional.binary_cross_entropy_with_logits(self.model(x), y)
        self.scaler.scale(loss).backward()
        self._clip()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        self.optimizer.zero_grad()
        return loss.item()

    def fit(self, loader):
        return [self.fit_batch(x.cuda(), y.cuda()) for x, y in loader]
