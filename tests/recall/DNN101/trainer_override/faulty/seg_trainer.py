import torch
import torch.nn.functional as F

from base_trainer import BaseTrainer


class SegTrainer(BaseTrainer):
    def __init__(self, *args, max_norm=5.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.max_norm = max_norm

    def compute_loss(self, batch):
        image, mask = batch
        return F.cross_entropy(self.model(image), mask, ignore_index=255)

    def optimize(self, loss):
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # expect: DNN101
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
