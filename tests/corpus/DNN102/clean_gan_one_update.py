# Two optimizers, two steps, one update at the end of the iteration.
import torch
from torch import nn

scaler = torch.amp.GradScaler("cuda")
hinge = nn.ReLU()


def iteration(gen, disc, g_opt, d_opt, real):
    noise = torch.randn(real.size(0), 128, device=real.device)
    d_opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        fake = gen(noise)
        d_loss = hinge(1 - disc(real)).mean() + hinge(1 + disc(fake.detach())).mean()
    scaler.scale(d_loss).backward()
    scaler.step(d_opt)

    g_opt.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        g_loss = -disc(fake).mean()
    scaler.scale(g_loss).backward()
    scaler.step(g_opt)
    scaler.update()
    return d_loss.item(), g_loss.item()


def train(gen, disc, loader):
    g_opt = torch.optim.Adam(gen.parameters(), 1e-4, (0.0, 0.9))
    d_opt = torch.optim.Adam(disc.parameters(), 4e-4, (0.0, 0.9))
    for real in loader:
        iteration(gen, disc, g_opt, d_opt, real.cuda())
