import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from data import TokenWindows
from engine import train_epoch
from nets import TinyGPT
from utils.dist import is_main, setup_ddp


def main():
    rank = setup_ddp()
    ds = TokenWindows("train.bin", 512)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 8, sampler=sampler, num_workers=8, drop_last=True)
    model = DistributedDataParallel(TinyGPT().cuda(), device_ids=[rank])  # or: DNN207
    optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
    for epoch in range(4):
        sampler.set_epoch(epoch)
        loss = train_epoch(model, loader, optimizer, accum=4)
        if is_main():
            print(epoch, loss)
            torch.save(model.module.state_dict(), "gpt.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
