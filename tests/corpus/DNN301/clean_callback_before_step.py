# Callbacks of another file run before the step; one of them may clip.
import torch

from project.callbacks import CallbackList


class Loop:
    def __init__(self, model, callbacks):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters())
        self.callbacks = CallbackList(callbacks, self)

    def run(self, loader):
        for batch in loader:
            self.opt.zero_grad()
            loss = self.model(batch)
            loss.backward()
            self.callbacks.before_optimizer_step(self.model)
            self.opt.step()
