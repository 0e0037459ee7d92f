# Once, before the training starts.
import torch

from rugs import RugNet, loader


def main():
    torch.cuda.empty_cache()
    net = RugNet().cuda()
    opt = torch.optim.Adam(net.parameters())
    for x in loader():
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        opt.step()


main()
