# A trainer class clears through the model.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=0.1)

    def step(self, x):
        self.model.zero_grad(set_to_none=False)  # expect: DNN506
        self.model(x).mean().backward()
        self.opt.step()

    def fit(self, loader):
        for x in loader:
            self.step(x)
