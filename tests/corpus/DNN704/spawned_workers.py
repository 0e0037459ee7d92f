# Processes started with spawn.
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel


def worker(rank, world_size, path):
    dist.init_process_group("nccl", init_method="tcp://127.0.0.1:23456", rank=rank, world_size=world_size)
    from coasts import CoastNet, loader

    torch.cuda.set_device(rank)
    net = CoastNet().to(rank)
    ckpt = torch.load(path, weights_only=True)  # expect: DNN704
    net.load_state_dict(ckpt["state_dict"])
    model = DistributedDataParallel(net, device_ids=[rank])
    opt = torch.optim.SGD(model.parameters(), lr=0.01)
    for x in loader(rank):
        opt.zero_grad()
        model(x.to(rank)).mean().backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    gpus = torch.cuda.device_count()
    mp.spawn(worker, args=(gpus, "epoch_10.pt"), nprocs=gpus)
