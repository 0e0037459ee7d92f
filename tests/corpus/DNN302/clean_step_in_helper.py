# Clip and step are in a method that is called after backward.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters())

    def apply_gradients(self):
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad()

    def fit(self, loader):
        for batch in loader:
            loss = self.model(batch)
            loss.backward()
            self.apply_gradients()
