# The trainer's model is given from outside and may have either.
import torch


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters())

    def train_epoch(self, loader):
        self.model.train()
        for x, y in loader:
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.model(x), y).backward()
            self.opt.step()

    @torch.no_grad()
    def validate(self, loader):
        errors = []
        for x, y in loader:
            prediction = self.model(x)  # expect: DNN507
            errors.append(torch.nn.functional.mse_loss(prediction, y).item())
        return sum(errors) / len(errors)

    def fit(self, train_loader, val_loader, epochs):
        for epoch in range(epochs):
            self.train_epoch(train_loader)
            print(epoch, self.validate(val_loader))
