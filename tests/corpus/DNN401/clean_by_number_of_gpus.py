# Four for each GPU: the product is not known.
import torch
from torch.utils.data import DataLoader

from quartz import CrystalNet, CrystalSet

workers = 4 * max(1, torch.cuda.device_count())
net = CrystalNet().cuda()
opt = torch.optim.Adam(net.parameters())
for x in DataLoader(CrystalSet(), batch_size=32, shuffle=True, num_workers=workers):
    opt.zero_grad()
    net(x.cuda()).backward()
    opt.step()
