import os

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from base import Trainer


class VAE(nn.Module):
    def __init__(self, latent=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Flatten(), nn.Linear(784, 400), nn.ReLU())
        self.mu, self.logvar = nn.Linear(400, latent), nn.Linear(400, latent)
        self.dec = nn.Sequential(nn.Linear(latent, 400), nn.ReLU(), nn.Linear(400, 784))

    def forward(self, x):
        h = self.enc(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return self.dec(z), mu, logvar


class VaeTrainer(Trainer):
    def loss(self, batch):
        x = batch[0].to(self.device)
        recon, mu, logvar = self.model(x)
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return F.binary_cross_entropy_with_logits(recon, x.flatten(1), reduction="sum") / len(x) + kld


if __name__ == "__main__":
    trainer = VaeTrainer(VAE())
    if os.path.exists("t.pt"):
        trainer.resume("t.pt")
    ds = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    trainer.fit(DataLoader(ds, 128, shuffle=True, num_workers=8), 40)
