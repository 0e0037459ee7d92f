import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from compress import static_int8
from data import PatchDataset
from nets import QuantCNN

if __name__ == "__main__":
    net = QuantCNN().cuda()
    loader = DataLoader(PatchDataset(sys.argv[1]), 128, shuffle=True, num_workers=8)
    opt = torch.optim.SGD(net.parameters(), 0.05, momentum=0.9)
    for epoch in range(10):
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(static_int8(net, loader).state_dict(), "int8.pt")
