# An attribute chain that ends alike.
import torch


class Settings:
    class cuda:
        class amp:
            enabled = True


def train(net, loader, settings=Settings):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=settings.cuda.amp.enabled):
            loss = net(x).mean()
        loss.backward()
        opt.step()
