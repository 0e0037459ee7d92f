import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from trainer import Callback, Trainer


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


class History(Callback):
    def __init__(self, every=50):
        self.values, self.every = [], every

    def on_step(self, trainer, step, loss):
        self.values.append(float(loss.cpu()))  # expect: DNN509
        print(step, self.values[-1])


class VaeTrainer(Trainer):
    def loss(self, batch):
        x = batch[0].cuda(non_blocking=True)
        recon, mu, logvar = self.model(x)
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return F.binary_cross_entropy_with_logits(recon, x.flatten(1), reduction="sum") / len(x) + kld


if __name__ == "__main__":
    vae = VAE().cuda()
    ds = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    trainer = VaeTrainer(vae, torch.optim.Adam(vae.parameters(), 1e-3), [History()])
    trainer.fit(DataLoader(ds, 256, shuffle=True, num_workers=8, pin_memory=True), 20)
