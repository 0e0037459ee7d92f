# The sampler is made by a helper and the loop never tells it the epoch.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def loader_for(data, batch):
    return DataLoader(data, batch, sampler=DistributedSampler(data), num_workers=8)  # or: DNN603


def main():
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank())
    from kelp import KelpNet, KelpSet

    loader = loader_for(KelpSet("train"), 32)  # or: DNN603
    net = torch.nn.parallel.DistributedDataParallel(KelpNet().cuda())
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(100):  # expect: DNN603
        for x in loader:
            opt.zero_grad()
            net(x.cuda()).mean().backward()
            opt.step()


main()
