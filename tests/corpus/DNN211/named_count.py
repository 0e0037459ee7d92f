import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(loader, global_batch=1024, micro_batch=8):
    dist.init_process_group("nccl")
    gpus = torch.cuda.device_count()  # expect: DNN211
    accum = global_batch // (micro_batch * gpus)
    model = DDP(torch.nn.Linear(4, 4).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        (model(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
