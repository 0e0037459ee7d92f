import argparse
from contextlib import nullcontext

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP

parser = argparse.ArgumentParser()
parser.add_argument("--accum", type=int, default=8)
args = parser.parse_args()


def main(rank, loader):
    dist.init_process_group("nccl")
    model = DDP(torch.nn.Linear(16, 4).to(rank), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step, (x, y) in enumerate(loader):
        hold = step % args.accum != 0
        context = model.no_sync() if hold else nullcontext()  # expect: DNN210
        with context:
            loss = torch.nn.functional.cross_entropy(model(x.to(rank)), y.to(rank)) / args.accum
            loss.backward()
        if (step + 1) % args.accum == 0:
            optimizer.step()
            optimizer.zero_grad()
