"""The schedule belongs to the optimizer that no scaler steps."""
import torch


def train(generator, critic, loader):
    opt_g = torch.optim.Adam(generator.parameters(), lr=1e-4)
    opt_c = torch.optim.Adam(critic.parameters(), lr=4e-4)
    decay = torch.optim.lr_scheduler.ExponentialLR(opt_c, 0.999)
    scaler = torch.amp.GradScaler("cuda")
    for real in loader:
        opt_g.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = -critic(generator(real)).mean()
        scaler.scale(loss).backward()
        scaler.step(opt_g)
        scaler.update()
        opt_c.zero_grad()
        critic(real).mean().backward()
        opt_c.step()
        decay.step()
