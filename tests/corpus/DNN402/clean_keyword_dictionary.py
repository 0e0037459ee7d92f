# pin_memory in a keyword dictionary.
import torch
from torch.utils.data import DataLoader

from eels import EelNet, EelSet

common = dict(batch_size=8, num_workers=8, pin_memory=True)


def main():
    loader = DataLoader(EelSet(), shuffle=True, **common)
    net = EelNet().cuda()
    opt = torch.optim.Adam(net.parameters())
    for x in loader:
        opt.zero_grad()
        net(x.cuda()).backward()
        opt.step()


main()
