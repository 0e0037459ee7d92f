# map_location is a variable that follows the rank.
import os

import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    where = {"cuda:0": f"cuda:{local}"}
    from coasts import CoastNet, loader

    net = CoastNet().to(local)
    checkpoint = torch.load("last.pt", map_location=where, weights_only=True)
    net.load_state_dict(checkpoint["net"])
    opt = torch.optim.Adam(net.parameters())
    for x in loader(local):
        opt.zero_grad()
        net(x.to(local)).mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
