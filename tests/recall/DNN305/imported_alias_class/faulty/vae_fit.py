import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from mixins import ClippedStepMixin


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


class VaeTrainer(ClippedStepMixin):
    max_norm = 5.0

    def __init__(self, model):
        self.model = model.cuda()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def loss(self, x):
        recon, mu, logvar = self.model(x)
        kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        return F.mse_loss(recon.sigmoid(), x.flatten(1), reduction="sum") / len(x) + kld

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            for x, _ in loader:
                loss = self.loss(x.cuda())
                norm = self.step(loss)
            print(epoch, loss.item(), norm.item())
        torch.save(self.model.state_dict(), "vae.pt")


if __name__ == "__main__":
    digits = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    VaeTrainer(VAE()).fit(DataLoader(digits, 256, shuffle=True, num_workers=8), 15)
