# The keyword dictionary gets its entry by assignment.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

kw = {}
kw["batch_size"] = 32
kw["num_workers"] = 4
kw["shuffle"] = True
loader = DataLoader(KelpSet("train"), **kw)  # expect: DNN401
net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
