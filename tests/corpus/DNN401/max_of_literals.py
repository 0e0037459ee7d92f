# An expression of literals.
import torch
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

GPUS = 2
PER_GPU = 2
loader = DataLoader(KelpSet("train"), 32, shuffle=True, num_workers=GPUS * PER_GPU)  # expect: DNN401
net = KelpNet()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
