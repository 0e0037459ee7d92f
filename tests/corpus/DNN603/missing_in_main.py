# Every epoch has the same order on each rank.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


def main():
    dist.init_process_group("nccl")
    rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(rank)
    from hills import HillNet, HillSet

    data = HillSet("train")
    sampler = DistributedSampler(data, shuffle=True)  # or: DNN603
    loader = DataLoader(data, batch_size=32, sampler=sampler, num_workers=8, pin_memory=True)  # or: DNN603
    model = DDP(HillNet().cuda(), device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(90):  # expect: DNN603
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            opt.step()
        if rank == 0:
            print(epoch)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
