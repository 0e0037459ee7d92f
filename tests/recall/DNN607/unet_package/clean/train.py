import sys

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.utils.data import DataLoader, DistributedSampler

import config
from data import SegPairs
from nets import MiniUNet
from utils.dist import setup_ddp, wrap


def main():
    rank = setup_ddp()
    ds = SegPairs(sys.argv[1], sys.argv[2], size=1024)
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, config.BATCH_PER_GPU, sampler=sampler, num_workers=8)
    net = wrap(MiniUNet(config.CLASSES), rank)
    opt = torch.optim.AdamW(net.parameters(), config.LR)
    for epoch in range(config.EPOCHS):
        sampler.set_epoch(epoch)
        for image, mask in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(image.cuda()), mask.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
            torch.save(net.module.state_dict(), "seg.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
