import torch
import torch.distributed as dist


def init_distributed(url):
    dist.init_process_group("nccl", init_method=url)
    dist.barrier()


def write_checkpoint(model, optimizer, path):
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
