import argparse
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(loader):
    parser = argparse.ArgumentParser()
    parser.add_argument("--accum", type=int, default=32)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    accum = args.accum
    accum //= torch.cuda.device_count()  # expect: DNN211
    model = DDP(torch.nn.Linear(4, 4).cuda())
    optimizer = torch.optim.AdamW(model.parameters())
    for i, x in enumerate(loader):
        (model(x).mean() / accum).backward()
        if (i + 1) % accum == 0:
            optimizer.step()
            optimizer.zero_grad()
