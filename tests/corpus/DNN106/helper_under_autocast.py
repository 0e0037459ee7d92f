# The helper that differentiates is called inside of the block.
import torch


def descend(loss, opt):
    opt.zero_grad()
    loss.backward()  # or: DNN106
    opt.step()


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x, y in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            descend(loss, opt)  # expect: DNN106
