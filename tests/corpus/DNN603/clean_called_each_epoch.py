# Called on the sampler.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler


def main():
    dist.init_process_group("gloo")
    from hills import HillNet, HillSet

    data = HillSet("train")
    sampler = DistributedSampler(data)
    loader = DataLoader(data, 16, sampler=sampler, num_workers=8)
    model = torch.nn.parallel.DistributedDataParallel(HillNet())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(10):
        sampler.set_epoch(epoch)
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()


main()
