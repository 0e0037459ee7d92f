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
def main(epochs=50):
    mnist = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
    loader = DataLoader(mnist, 128, shuffle=True, num_workers=8)
    model = VAE(latent=64).cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for epoch in range(epochs):  # or: DNN803
        model.train()
        for x, _ in loader:  # or: DNN803
            x = x.cuda()
            recon, mu, logvar = model(x)
            kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
            loss = F.binary_cross_entropy_with_logits(recon, x.flatten(1), reduction="sum") / len(x) + kld
            optimizer.zero_grad()
            loss.backward()  # expect: DNN803
            optimizer.step()  # or: DNN803
        print(f"epoch {epoch} loss {loss.item():.3f}")
        torch.save(model.state_dict(), "vae.pt")


if __name__ == "__main__":
    main()
