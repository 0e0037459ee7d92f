# WGAN: the critic steps on every batch, the generator on every n_critic-th; no accumulation.
import torch


def train(gen, critic, loader, n_critic=5, clamp=0.01):
    opt_g = torch.optim.RMSprop(gen.parameters(), lr=5e-5)
    opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    for i, real in enumerate(loader):
        real = real.cuda()
        z = torch.randn(len(real), 64, device="cuda")
        opt_c.zero_grad()
        loss_c = critic(gen(z).detach()).mean() - critic(real).mean()
        loss_c.backward()
        opt_c.step()
        with torch.no_grad():
            for p in critic.parameters():
                p.clamp_(-clamp, clamp)
        if (i + 1) % n_critic == 0:
            opt_g.zero_grad()
            loss_g = -critic(gen(z)).mean()
            loss_g.backward()
            opt_g.step()
