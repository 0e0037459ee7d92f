# map_location in a keyword dictionary.
import os

import torch

LOAD = {"map_location": "cpu", "weights_only": True}


def main():
    from coasts import CoastNet, loader

    net = CoastNet().cuda()
    opt = torch.optim.Adam(net.parameters())
    if os.path.exists("last.pt"):
        state = torch.load("last.pt", **LOAD)
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
    for x in loader():
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        opt.step()
    torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, "last.pt")


main()
