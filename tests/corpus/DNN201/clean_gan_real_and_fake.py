# GAN: the discriminator adds the gradients of the real and of the fake batch.
import torch
from torch import nn

from shoes import Discriminator, Generator, photo_loader

G, D = Generator().cuda(), Discriminator().cuda()
opt_g = torch.optim.Adam(G.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=2e-4, betas=(0.5, 0.999))
bce = nn.BCELoss()

for epoch in range(25):
    for i, photo in enumerate(photo_loader()):
        photo = photo.cuda()
        one = torch.ones(photo.size(0), device="cuda")
        D.zero_grad()
        err_real = bce(D(photo).view(-1), one)
        err_real.backward()
        fake = G(torch.randn(photo.size(0), 100, 1, 1, device="cuda"))
        err_fake = bce(D(fake.detach()).view(-1), torch.zeros_like(one))
        err_fake.backward()
        opt_d.step()

        G.zero_grad()
        err_g = bce(D(fake).view(-1), one)
        err_g.backward()
        opt_g.step()
        if i % 50 == 0:
            print(epoch, i, err_real.item() + err_fake.item(), err_g.item())
