# train(False) is eval().
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters())

    def fit(self, loader):
        self.model.train(True)
        for x in loader:
            self.opt.zero_grad()
            self.model(x).mean().backward()
            self.opt.step()

    @torch.no_grad()
    def validate(self, loader):
        self.model.train(False)
        return [self.model(x).mean().item() for x in loader]

    def run(self, loader, val):
        for _ in range(5):
            self.fit(loader)
            print(self.validate(val))
