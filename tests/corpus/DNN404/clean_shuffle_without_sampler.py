# shuffle depends on the sampler.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

from eggs import EggNet, EggSet

data = EggSet("train")
sampler = DistributedSampler(data) if dist.is_initialized() else None
loader = DataLoader(data, 32, shuffle=(sampler is None), sampler=sampler, num_workers=8)
net = EggNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
