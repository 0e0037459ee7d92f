# The forward of the network of this file runs under float16; the training function is plain.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        with torch.autocast(device_type="cuda", dtype=torch.float16):
            return self.head(self.body(x))


def main():
    from coins import batches

    net = Net().cuda()
    opt = torch.optim.Adam(net.parameters())
    for x, y in batches():
        loss = nn.functional.cross_entropy(net(x.cuda()).float(), y.cuda())
        opt.zero_grad()
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()


main()
