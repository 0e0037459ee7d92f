# Divided by the window and by the number of processes, which reduces with a sum.
import torch
import torch.distributed as dist


def train(net, loader, accum=4):
    world = dist.get_world_size()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i, x in enumerate(loader):
        loss = net(x.cuda()).mean() / accum
        loss.backward()
        if (i + 1) % accum == 0:
            for p in net.parameters():
                dist.all_reduce(p.grad)
                p.grad /= world
            opt.step()
            opt.zero_grad()
