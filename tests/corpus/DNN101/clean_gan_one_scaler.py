# GAN: both losses go through one scaler, which is updated once.
import torch
from torch import nn


def train_gan(generator, critic, loader, epochs):
    g_opt = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
    d_opt = torch.optim.Adam(critic.parameters(), lr=2e-4, betas=(0.5, 0.999))
    scaler = torch.cuda.amp.GradScaler()
    bce = nn.BCEWithLogitsLoss()
    for _ in range(epochs):
        for real, _ in loader:
            real = real.cuda()
            ones, zeros = torch.ones(len(real), 1, device="cuda"), torch.zeros(len(real), 1, device="cuda")
            z = torch.randn(len(real), 100, 1, 1, device="cuda")
            with torch.cuda.amp.autocast():
                fake = generator(z)
                d_loss = bce(critic(real), ones) + bce(critic(fake.detach()), zeros)
            d_opt.zero_grad()
            scaler.scale(d_loss).backward()
            scaler.step(d_opt)
            with torch.cuda.amp.autocast():
                g_loss = bce(critic(fake), ones)
            g_opt.zero_grad()
            scaler.scale(g_loss).backward()
            scaler.step(g_opt)
            scaler.update()
