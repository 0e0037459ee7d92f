# A static method of the trainer runs the forward under float16, another method the backward.
import torch
from torch import nn


class ClipTrainer:
    dtype = torch.float16

    def __init__(self, model, cfg):
        self.model = model.to(cfg["device"])
        self.opt = torch.optim.AdamW(self.model.parameters(), **cfg["optim"])

    @staticmethod
    def forward_loss(model, images, texts):
        with torch.autocast("cuda", dtype=ClipTrainer.dtype):
            logits = model(images, texts)
            return nn.functional.cross_entropy(logits, torch.arange(len(logits), device=logits.device))

    def optimise(self, images, texts):
        loss = self.forward_loss(self.model, images, texts)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    def epoch(self, loader):
        return sum(self.optimise(i.cuda(), t.cuda()) for i, t in loader) / len(loader)
