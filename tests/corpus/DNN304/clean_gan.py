"""Only the critic is limited, on purpose."""
import torch


def train(gen, critic, loader, clip_norm=1.0):
    opt_g = torch.optim.Adam(gen.parameters())
    opt_c = torch.optim.Adam(critic.parameters())
    for i, real in enumerate(loader):
        opt_g.zero_grad()
        opt_c.zero_grad()
        if i % 5:
            critic(real).mean().backward()
            torch.nn.utils.clip_grad_norm_(critic.parameters(), clip_norm)
            opt_c.step()
        else:
            (-critic(gen(real)).mean()).backward()
            opt_g.step()
