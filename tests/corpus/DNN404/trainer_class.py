# In a trainer class, sampler=None spelled out.
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, net, train_set, val_set):
        self.net = net
        self.train_loader = DataLoader(train_set, 16, sampler=None, num_workers=8)  # expect: DNN404

        self.opt = torch.optim.Adam(net.parameters())

        self.val_loader = DataLoader(val_set, 16, num_workers=8)

    def epoch(self):
        self.net.train()
        for x, y in self.train_loader:
            self.opt.zero_grad()
            torch.nn.functional.mse_loss(self.net(x), y).backward()
            self.opt.step()

    @torch.no_grad()
    def validate(self):
        self.net.eval()
        return sum(torch.nn.functional.mse_loss(self.net(x), y).item() for x, y in self.val_loader)

    def fit(self, epochs):
        for _ in range(epochs):
            self.epoch()
            print(self.validate())
