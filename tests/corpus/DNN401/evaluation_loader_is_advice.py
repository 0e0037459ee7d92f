# The training loader is in the range; the one used only for evaluation is reported as advice.
import torch
from torch import nn
from torch.utils.data import DataLoader

from pens import PenNet, PenSet

train_loader = DataLoader(PenSet("train"), batch_size=64, shuffle=True, num_workers=8, pin_memory=True)

net = PenNet().cuda()
opt = torch.optim.Adam(net.parameters())
val_loader = DataLoader(PenSet("val"), batch_size=256, num_workers=2, pin_memory=True)  # expect: DNN401

for epoch in range(10):
    net.train()
    for x, y in train_loader:
        opt.zero_grad()
        nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
    net.eval()
    with torch.no_grad():
        hits = sum((net(x.cuda()).argmax(1).cpu() == y).sum().item() for x, y in val_loader)
    print(epoch, hits)
