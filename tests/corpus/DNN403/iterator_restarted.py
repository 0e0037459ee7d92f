# The iterator is made anew for each epoch of a while loop.
import torch
from torch.utils.data import DataLoader


def fit(net, data, epochs=40):
    loader = DataLoader(data, 16, shuffle=True, num_workers=8)  # expect: DNN403
    opt = torch.optim.Adam(net.parameters())
    epoch = 0
    while epoch < epochs:
        for x in loader:
            opt.zero_grad()
            net(x).mean().backward()
            opt.step()
        epoch += 1


if __name__ == "__main__":
    from kelp import KelpNet, KelpSet

    fit(KelpNet(), KelpSet("train"))
