# The closure is defined inside the block and called after it.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = net(x.cuda()).mean()

            def finish(value=loss):
                opt.zero_grad()
                value.backward()
                opt.step()

        finish()
