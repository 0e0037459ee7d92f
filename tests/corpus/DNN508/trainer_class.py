# Trainer class: fit() switches to training once.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.AdamW(model.parameters())

    @torch.no_grad()
    def validate(self, loader):
        self.model.eval()  # or: DNN508
        return sum(self.model(x).mean().item() for x in loader)

    def fit(self, train_loader, val_loader, epochs):
        self.model.train()  # expect: DNN508
        for epoch in range(epochs):
            for x in train_loader:
                self.opt.zero_grad()
                self.model(x).pow(2).mean().backward()
                self.opt.step()
            print(epoch, self.validate(val_loader))
