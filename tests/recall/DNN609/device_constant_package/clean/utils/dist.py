import os

import torch
import torch.distributed as dist


def init_distributed():
    dist.init_process_group(backend="nccl", init_method="env://")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    return device
