import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(dataset, accum=4):
    dist.init_process_group("nccl")
    workers = 32 // torch.cuda.device_count()
    loader = torch.utils.data.DataLoader(dataset, num_workers=workers)
    model = DDP(torch.nn.Linear(4, 4).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        (model(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
