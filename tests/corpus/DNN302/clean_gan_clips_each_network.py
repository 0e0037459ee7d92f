# The generator's clip follows the critic's step and precedes the generator's own step.
import torch
from torch.nn.utils import clip_grad_norm_


def iteration(gen, critic, opt_g, opt_c, real):
    z = torch.randn(len(real), 16)
    opt_c.zero_grad()
    (critic(gen(z).detach()).mean() - critic(real).mean()).backward()
    clip_grad_norm_(critic.parameters(), 1.0)
    opt_c.step()
    opt_g.zero_grad()
    (-critic(gen(z)).mean()).backward()
    clip_grad_norm_(gen.parameters(), 1.0)
    opt_g.step()


def train(gen, critic, loader):
    opt_g = torch.optim.Adam(gen.parameters(), lr=1e-4)
    opt_c = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for real in loader:
        iteration(gen, critic, opt_g, opt_c, real)
