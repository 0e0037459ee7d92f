# The clip is a method of a base class in another file.
import torch

from base import BaseTrainer


class SpeechTrainer(BaseTrainer):
    def __init__(self, model, config):
        super().__init__(model, config)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config["lr"])

    def process_batch(self, batch):
        self.optimizer.zero_grad()
        loss = self.model(**batch)
        loss.backward()
        self._clip_grad_norm()
        self.optimizer.step()
        return loss.item()

    def train_epoch(self, loader):
        return [self.process_batch(batch) for batch in loader]
