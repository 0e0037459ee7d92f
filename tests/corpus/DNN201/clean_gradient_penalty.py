# Gradient penalty: a second backward for the penalty term of the same step.
import torch


def penalty(critic, real, fake, weight=10.0):
    eps = torch.rand(len(real), 1, 1, 1, device=real.device)
    mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
    (grad,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return weight * (grad.flatten(1).norm(dim=1) - 1).pow(2).mean()


def critic_steps(critic, gen, stream, opt, rounds):
    for _ in range(rounds):
        real = next(stream).cuda()
        with torch.no_grad():
            fake = gen(torch.randn(len(real), 128, device="cuda"))
        opt.zero_grad()
        (critic(fake).mean() - critic(real).mean()).backward()
        gp = penalty(critic, real, fake)
        gp.backward()
        opt.step()
