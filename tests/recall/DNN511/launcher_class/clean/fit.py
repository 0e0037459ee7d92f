import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


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
if __name__ == "__main__":
    vae = VAE().cuda()
    opt = torch.optim.Adam(vae.parameters(), 1e-3)
    ds = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    for epoch in range(10):
        for x, _ in DataLoader(ds, 256, shuffle=True, num_workers=8):
            x = x.cuda()
            recon, mu, logvar = vae(x)
            loss = F.mse_loss(recon, x.flatten(1)) - 1e-3 * (1 + logvar - mu.pow(2) - logvar.exp()).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(vae.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(vae.state_dict(), "vae.pt")
