import torch
import torch.multiprocessing as mp


def worker(rank):
    torch.cuda.set_device(rank)


mp.spawn(worker, nprocs=torch.cuda.device_count())
