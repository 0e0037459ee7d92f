import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler
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


def main():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    model = VAE(32).cuda()
    model = DistributedDataParallel(model, device_ids=[local_rank])
    ds = datasets.MNIST("data", train=True, download=False, transform=transforms.ToTensor())
    sampler = DistributedSampler(ds)
    opt = torch.optim.Adam(model.parameters(), 1e-3)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for x, _ in DataLoader(ds, 128, sampler=sampler, num_workers=8):
            x = x.cuda()
            recon, mu, logvar = model(x)
            kld = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
            loss = F.binary_cross_entropy_with_logits(recon, x.flatten(1), reduction="sum") / len(x) + kld
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
            torch.save(model.module.state_dict(), "vae.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
