# The statistics of the epoch are in a dictionary.
import torch
from torch import nn

from toys import VAE, loader

vae = VAE().cuda()
opt = torch.optim.Adam(vae.parameters(), lr=1e-3)
for epoch in range(30):
    stats = {"reconstruction": 0.0, "kl": 0.0}
    for x in loader():
        x = x.cuda()
        out, mean, logvar = vae(x)
        rec = nn.functional.mse_loss(out, x)
        kl = -0.5 * (1 + logvar - mean**2 - logvar.exp()).mean()
        opt.zero_grad()
        (rec + 0.1 * kl).backward()
        opt.step()
        stats["reconstruction"] += rec  # expect: DNN501
        stats["kl"] += kl
    print(epoch, stats)
