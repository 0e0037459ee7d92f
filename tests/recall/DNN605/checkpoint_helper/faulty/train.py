import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from data import PatchDataset
from nets import SmallCNN
from utils.checkpoint import save_checkpoint
from utils.dist import is_main, setup_ddp


def main():
    local = setup_ddp()
    ds = PatchDataset("patches")
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 64, sampler=sampler, num_workers=8)
    net = DDP(SmallCNN(50).cuda(), device_ids=[local])
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    for epoch in range(60):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        if is_main():
            print(epoch, loss.item())
        save_checkpoint({"net": net.module.state_dict(), "opt": opt.state_dict(), "epoch": epoch}, "ck", epoch)  # or: DNN605
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
