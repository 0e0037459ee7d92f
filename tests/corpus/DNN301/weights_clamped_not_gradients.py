# WGAN: the weights are clamped, the gradients are not.
import torch


def train_critic(critic, gen, stream, steps, c=0.01):
    opt = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
    for _ in range(steps):
        real = next(stream)
        with torch.no_grad():
            fake = gen(torch.randn(len(real), 100))
        opt.zero_grad()
        loss = critic(fake).mean() - critic(real).mean()
        loss.backward()
        opt.step()  # expect: DNN301
        for p in critic.parameters():
            p.data.clamp_(-c, c)
