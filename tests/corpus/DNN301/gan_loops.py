# GAN: neither of the two steps clips.
import torch
from torch import nn


def train(G, D, loader, epochs):
    og = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
    od = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
    bce = nn.BCEWithLogitsLoss()
    for _ in range(epochs):
        for real in loader:
            real = real.cuda()
            fake = G(torch.randn(len(real), 100, 1, 1, device="cuda"))
            od.zero_grad()
            r, f = D(real), D(fake.detach())
            (bce(r, torch.ones_like(r)) + bce(f, torch.zeros_like(f))).backward()
            od.step()  # or: DNN301
            og.zero_grad()
            f = D(fake)
            bce(f, torch.ones_like(f)).backward()
            og.step()  # expect: DNN301
