# The number comes from the scheduler of the cluster.
import os

import torch
from torch.utils.data import DataLoader

from reefs import ReefNet, ReefSet

workers = int(os.environ["SLURM_CPUS_PER_TASK"])
net = ReefNet().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
for x in DataLoader(ReefSet(), batch_size=8, shuffle=True, num_workers=workers, pin_memory=True):
    opt.zero_grad()
    net(x.cuda()).backward()
    opt.step()
