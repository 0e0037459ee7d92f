import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def setup_ddp():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    return local_rank


def wrap(model, local_rank):
    model = nn.SyncBatchNorm.convert_sync_batchnorm(model.cuda())
    return DistributedDataParallel(model, device_ids=[local_rank])
