# The critic is cleared and stepped on every batch, the generator every fifth.
import torch


def train(gen, critic, loader):
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-4)
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for i, real in enumerate(loader):
        z = torch.randn(len(real), 32)
        opt_c.zero_grad()
        (critic(gen(z).detach()).mean() - critic(real).mean()).backward()
        opt_c.step()
        if (i + 1) % 5 == 0:
            opt_g.zero_grad()
            (-critic(gen(z)).mean()).backward()
            opt_g.step()
