import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

from data import TokenWindows
from nets import TinyGPT
from utils.dist import is_main, setup_ddp
from utils.parallel import parallelise


def main():
    rank = setup_ddp()
    ds = TokenWindows("train.bin", 512)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 8, sampler=sampler, num_workers=8)
    model = parallelise(TinyGPT(dim=1024, heads=16, layers=24), rank)
    opt = torch.optim.AdamW(model.parameters(), 3e-4)
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for step, (idx, targets) in enumerate(loader):
            opt.zero_grad()
            _, loss = model(idx.cuda(), targets.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            if is_main() and step % 100 == 0:
                print(epoch, step, loss.item())
        if is_main():
            torch.save(model.module.state_dict(), "gpt.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
