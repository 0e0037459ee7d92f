# Several critic steps for each generator step, in an inner loop that clears each time.
import torch


def train(g, d, stream, steps, d_steps=3):
    og, od = torch.optim.Adam(g.parameters()), torch.optim.Adam(d.parameters())
    for _ in range(steps):
        for _ in range(d_steps):
            real = next(stream)
            z = torch.randn(len(real), 32)
            od.zero_grad()
            loss = (d(g(z).detach()) - d(real)).mean()
            loss.backward()
            od.step()
        og.zero_grad()
        (-d(g(z)).mean()).backward()
        og.step()
