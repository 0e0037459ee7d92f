import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from base import Runner


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


class VaeRunner(Runner):
    def __init__(self, *args, warmup=1000, **kwargs):
        super().__init__(*args, **kwargs)
        self.warmup, self.seen = warmup, 0

    def loss(self, batch):
        x = batch[0].cuda()
        rec, mu, logvar = self.model(x)
        bce = F.binary_cross_entropy_with_logits(rec, x.flatten(1), reduction="sum")
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return (bce + kld) / x.size(0)

    def optimizer_step(self):
        self.seen += 1
        for group in self.optimizer.param_groups:
            group["lr"] = 1e-3 * min(1.0, self.seen / self.warmup)
        self.optimizer.step()  # expect: DNN102


if __name__ == "__main__":
    train = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    vae = VAE().cuda()
    runner = VaeRunner(vae, torch.optim.Adam(vae.parameters(), lr=1e-3))
    runner.run(DataLoader(train, 256, shuffle=True, num_workers=8), epochs=20)
    torch.save(vae.state_dict(), "vae.pt")
