# Two terms of the loss, each divided once, with a backward each.
import torch
from torch import nn


def train(vae, loader, accum=4, beta=0.5):
    opt = torch.optim.SGD(vae.parameters(), lr=1e-3)
    for i, x in enumerate(loader):
        mean, logvar, out = vae(x)
        recon = nn.functional.mse_loss(out, x) / accum
        kl = -0.5 * (1 + logvar - mean**2 - logvar.exp()).mean() / accum
        (recon + beta * kl).backward()
        if (i + 1) % accum == 0:
            nn.utils.clip_grad_norm_(vae.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
