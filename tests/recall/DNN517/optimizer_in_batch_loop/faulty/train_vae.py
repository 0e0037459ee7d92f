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
def train(model, loader, epochs, lr=1e-3):
    for epoch in range(epochs):
        model.train()
        total = 0.0
        for x, _ in loader:
            x = x.cuda()
            optimizer = torch.optim.Adam(model.parameters(), lr=lr * 0.95**epoch)  # expect: DNN517
            recon, mu, logvar = model(x)
            kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
            loss = F.binary_cross_entropy_with_logits(recon, x.flatten(1), reduction="sum") / len(x) + kld
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.3f}")
    torch.save(model.state_dict(), "vae.pt")


if __name__ == "__main__":
    mnist = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    train(VAE().cuda(), DataLoader(mnist, 128, shuffle=True, num_workers=8), 30)
