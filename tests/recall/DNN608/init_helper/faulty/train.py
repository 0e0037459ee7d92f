import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from data import PatchDataset
from nets import SmallCNN
from utils.dist import init


def main():
    local = init()  # or: DNN608
    ds = PatchDataset("patches")
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 64, sampler=sampler, num_workers=8)
    net = DDP(SmallCNN().cuda(), device_ids=[local])
    opt = torch.optim.SGD(net.parameters(), 0.1)
    for epoch in range(20):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
            torch.save(net.module.state_dict(), "net.pt")


if __name__ == "__main__":
    main()
