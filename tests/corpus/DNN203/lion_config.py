# Lion takes the sign of the update; the rate is divided in a configuration class.
import torch
from lion_pytorch import Lion


class Cfg:
    accum = 8
    base_lr = 1e-4
    lr = base_lr / accum  # or: DNN203


def train(net, loader):
    opt = Lion(net.parameters(), lr=Cfg.lr)  # expect: DNN203
    for i, x in enumerate(loader):
        net(x.cuda()).mean().backward()
        if (i + 1) % Cfg.accum == 0:
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
