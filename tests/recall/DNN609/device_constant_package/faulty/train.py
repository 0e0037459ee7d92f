import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler

from data import PatchDataset
from nets import SmallCNN
from utils.dist import init_distributed


def main(root):
    device = init_distributed()
    net = DDP(SmallCNN(100).to(device))  # expect: DNN609
    ds = PatchDataset(root, True)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 64, sampler=sampler, num_workers=8)
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    for epoch in range(30):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(x.to(device)), y.to(device))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
            torch.save(net.module.state_dict(), "net.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(sys.argv[1])
