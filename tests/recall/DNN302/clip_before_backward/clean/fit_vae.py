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
def loss_function(recon, x, mu, logvar):
    bce = F.binary_cross_entropy_with_logits(recon, x.view(-1, 784), reduction="sum")
    return bce - 0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())


def train(epoch, model, loader, optimizer):
    model.train()
    train_loss = 0
    for batch_idx, (data, _) in enumerate(loader):
        data = data.cuda()
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss = loss_function(recon, data, mu, logvar)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 10.0)
        train_loss += loss.item()
        optimizer.step()
        if batch_idx % 100 == 0:
            print(f"Train Epoch: {epoch} [{batch_idx}] Loss: {loss.item() / len(data):.6f}")
    return train_loss / len(loader.dataset)


if __name__ == "__main__":
    mnist = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    vae = VAE(20).cuda()
    adam = torch.optim.Adam(vae.parameters(), lr=1e-3)
    for ep in range(1, 11):
        print(ep, train(ep, vae, DataLoader(mnist, 128, shuffle=True, num_workers=8), adam))
    torch.save(vae.state_dict(), "vae.pt")
