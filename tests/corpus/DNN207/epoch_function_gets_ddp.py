# The wrapped model is passed to the epoch function.
import os

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def train_epoch(model, loader, opt, accumulation):
    for step, (src, dst) in enumerate(loader, start=1):
        loss = model(src.cuda(), dst.cuda()).mean() / accumulation
        loss.backward()  # expect: DNN207
        if step % accumulation == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()


def main():
    dist.init_process_group(backend="nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    from translate import Seq2Seq, bitext

    model = DDP(Seq2Seq().cuda(local), device_ids=[local])
    opt = torch.optim.Adam(model.parameters(), lr=5e-4)
    for epoch in range(10):
        train_epoch(model, bitext(epoch), opt, accumulation=16)


if __name__ == "__main__":
    main()
