# The workers are started anew for each of 90 epochs.
import torch
from torch.utils.data import DataLoader

from owls import OwlNet, OwlSet


def main():
    loader = DataLoader(OwlSet(), 64, shuffle=True, num_workers=8, pin_memory=True)  # expect: DNN403
    net = OwlNet().cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(90):
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
            opt.step()


if __name__ == "__main__":
    main()
