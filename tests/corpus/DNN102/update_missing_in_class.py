# Trainer class whose step method never calls scaler.update().
import torch
from torch import nn


class DepthTrainer:
    def __init__(self, net, loader, lr=1e-4):
        self.net = net.cuda()
        self.loader = loader
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.scaler = torch.amp.GradScaler("cuda")

    def step(self, rgb, depth):
        self.opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            predicted = self.net(rgb)
            loss = (predicted - depth).abs().mean()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.opt)
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.scaler.step(self.opt)  # expect: DNN102
        return loss.item()

    def run(self, epochs):
        for epoch in range(epochs):
            losses = [self.step(rgb.cuda(), depth.cuda()) for rgb, depth in self.loader]
            print(epoch, sum(losses) / len(losses))
