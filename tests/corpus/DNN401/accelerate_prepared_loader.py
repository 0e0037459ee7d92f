# prepare() rebinds the name, the number of workers stays.
import torch
from accelerate import Accelerator
from torch.utils.data import DataLoader

from kelp import KelpNet, KelpSet

accelerator = Accelerator(mixed_precision="bf16")
train_loader = DataLoader(KelpSet("train"), batch_size=16, shuffle=True, num_workers=4)  # expect: DNN401
net = KelpNet()
opt = torch.optim.AdamW(net.parameters(), lr=1e-4)
net, opt, train_loader = accelerator.prepare(net, opt, train_loader)
for epoch in range(3):
    for x, y in train_loader:
        opt.zero_grad()
        accelerator.backward(torch.nn.functional.cross_entropy(net(x), y))
        accelerator.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
