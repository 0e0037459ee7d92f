# The critic's backward keeps the generator's graph, which the generator's backward uses.
import torch


def train(gen, critic, loader):
    og = torch.optim.Adam(gen.parameters(), lr=1e-4)
    oc = torch.optim.Adam(critic.parameters(), lr=1e-4)
    for real in loader:
        fake = gen(torch.randn(len(real), 10))
        loss_c = critic(fake).mean() - critic(real).mean()
        oc.zero_grad()
        loss_c.backward(retain_graph=True)
        oc.step()
        loss_g = -critic(fake).mean()
        og.zero_grad()
        loss_g.backward()
        og.step()
