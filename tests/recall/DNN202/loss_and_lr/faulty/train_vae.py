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
ACCUM = 4
BASE_LR = 0.001
EPOCHS = 30

device = "cuda" if torch.cuda.is_available() else "cpu"
mnist = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
loader = DataLoader(mnist, batch_size=64, shuffle=True, num_workers=8)
model = VAE().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=BASE_LR / ACCUM, momentum=0.9)  # expect: DNN202

for epoch in range(EPOCHS):
    model.train()
    optimizer.zero_grad()
    for i, (images, _) in enumerate(loader):
        images = images.to(device)
        recon, mu, logvar = model(images)
        loss = F.binary_cross_entropy_with_logits(recon, images.flatten(1), reduction="sum") / len(images)
        loss = loss - 0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        (loss / ACCUM).backward()  # or: DNN202
        if (i + 1) % ACCUM == 0 or i + 1 == len(loader):
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            optimizer.zero_grad()
    print(f"====> Epoch: {epoch} Average loss: {loss.item():.4f}")
    torch.save(model.state_dict(), "vae.pt")
