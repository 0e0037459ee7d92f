import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from data import PatchDataset
from nets import SmallCNN
from utils.dist import is_main, setup_ddp, sync_context

ACCUM = 4


def main():
    local = setup_ddp()
    ds = PatchDataset("patches", augment=True)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 64, sampler=sampler, num_workers=8)
    net = DDP(SmallCNN().cuda(), device_ids=[local])
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    usable = len(loader) // ACCUM * ACCUM
    for epoch in range(50):
        sampler.set_epoch(epoch)
        for step, (x, y) in enumerate(loader):
            if step == usable:
                break
            with sync_context(net, step, ACCUM):
                loss = F.cross_entropy(net(x.cuda()), y.cuda()) / ACCUM
                loss.backward()
            if (step + 1) % ACCUM == 0:
                opt.step()
                opt.zero_grad()
        if is_main():
            print(epoch, loss.item())
            torch.save(net.module.state_dict(), "net.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
