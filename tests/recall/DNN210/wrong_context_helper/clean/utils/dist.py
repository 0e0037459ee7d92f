from contextlib import nullcontext

import os

import torch
import torch.distributed as dist


def setup_ddp():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    return local_rank


def is_main():
    return dist.get_rank() == 0


def sync_context(model, step, accum):
    """Skip the all-reduce on the micro-batches that do not end a window."""
    if (step + 1) % accum == 0:
        return nullcontext()
    return model.no_sync()
