# Through nn.utils, in a class.
from torch import nn, optim


class Trainer:
    def __init__(self, model, clip):
        self.model = model
        self.clip = clip
        self.opt = optim.Adam(model.parameters())

    def step(self, loss):
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm(self.model.parameters(), self.clip)  # expect: DNN305
        self.opt.step()

    def fit(self, loader):
        for batch in loader:
            self.step(self.model(batch))
