# torchdata's StatefulDataLoader is another class.
import torch
from torchdata.stateful_dataloader import StatefulDataLoader

from kelp import KelpNet, KelpSet

loader = StatefulDataLoader(KelpSet("train"), batch_size=16, shuffle=True, num_workers=2)
net = KelpNet()
opt = torch.optim.Adam(net.parameters())
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
