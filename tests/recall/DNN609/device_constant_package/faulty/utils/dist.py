import torch
import torch.distributed as dist


def init_distributed():
    dist.init_process_group(backend="nccl", init_method="env://")
    return torch.device("cuda")  # or: DNN609
