import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from framework import Experiment


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


class AutoEncoding(Experiment):
    beta = 4.0

    def run_step(self, batch):
        images, _ = batch
        images = images.cuda(non_blocking=True)
        recon, mu, logvar = self.model(images)
        rec_loss = F.binary_cross_entropy_with_logits(recon, images.flatten(1), reduction="sum") / len(images)
        kl = -0.5 * (1 + logvar - mu.square() - logvar.exp()).sum(1).mean()
        loss = rec_loss + self.beta * kl
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()  # expect: DNN106
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimizer.step()
        return loss


if __name__ == "__main__":
    ds = datasets.FashionMNIST(".", train=True, download=True, transform=transforms.ToTensor())
    vae = VAE(16).cuda()
    AutoEncoding(vae, torch.optim.Adam(vae.parameters(), 1e-3)).train(DataLoader(ds, 128, shuffle=True, num_workers=8), 25)
