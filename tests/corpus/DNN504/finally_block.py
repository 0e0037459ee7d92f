# In a finally block, hence on every batch.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for x in loader:
        try:
            opt.zero_grad()
            net(x.cuda()).mean().backward()
            opt.step()
        finally:
            torch.cuda.empty_cache()  # expect: DNN504
