# The critic steps on every batch, the generator on every fifth; each clips with its step.
import torch
from torch.nn.utils import clip_grad_norm_


def train(gen, critic, loader):
    og = torch.optim.Adam(gen.parameters(), lr=1e-4)
    oc = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for i, real in enumerate(loader):
        z = torch.randn(len(real), 8)
        oc.zero_grad()
        (critic(gen(z).detach()).mean() - critic(real).mean()).backward()
        clip_grad_norm_(critic.parameters(), 1.0)
        oc.step()
        if (i + 1) % 5 == 0:
            og.zero_grad()
            (-critic(gen(z)).mean()).backward()
            clip_grad_norm_(gen.parameters(), 1.0)
            og.step()
