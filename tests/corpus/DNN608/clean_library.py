import torch
import torch.distributed as dist


def init_distributed(args):
    torch.cuda.set_device(args.gpu)
    dist.init_process_group("nccl", init_method=args.dist_url, rank=args.rank, world_size=args.world_size)
    dist.barrier()


def all_reduce_mean(tensor):
    dist.all_reduce(tensor)
    return tensor / dist.get_world_size()
