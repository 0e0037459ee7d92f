import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

from data import TokenWindows
from nets import TinyGPT
from utils.dist import is_main, setup_ddp
from utils.parallel import wrap


def main():
    rank = setup_ddp()
    ds = TokenWindows("train.bin", 512)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 8, sampler=sampler, num_workers=8)
    model = wrap(TinyGPT(), rank)
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    for epoch in range(3):
        sampler.set_epoch(epoch)
        for idx, targets in loader:
            opt.zero_grad()
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        if is_main():
            print(epoch, loss.item())
            torch.save(model.module.state_dict(), "gpt.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
