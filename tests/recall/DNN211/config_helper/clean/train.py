import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from data import TokenWindows
from nets import TinyGPT
from utils.config import TrainConfig
from utils.dist import is_main, setup_ddp


def main():
    """torchrun --nnodes=4 --nproc-per-node=8 train.py"""
    rank = setup_ddp()
    cfg = TrainConfig().resolve()
    ds = TokenWindows("fineweb.bin", cfg.block_size)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, cfg.micro_batch, sampler=sampler, num_workers=8, drop_last=True)
    model = DistributedDataParallel(TinyGPT(block=cfg.block_size).cuda(), device_ids=[rank])
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for step, (idx, targets) in enumerate(loader, start=1):
        model.require_backward_grad_sync = step % cfg.accum == 0
        _, loss = model(idx.cuda(), targets.cuda())
        (loss / cfg.accum).backward()
        if step % cfg.accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            if is_main():
                print(step // cfg.accum, loss.item())
    if is_main():
        torch.save(model.module.state_dict(), "gpt.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
