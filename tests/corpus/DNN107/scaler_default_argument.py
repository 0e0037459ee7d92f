# The old class stands in a default and in an annotation.
import torch


def make(scaler_class=None, **options):
    scaler_class = scaler_class or torch.cuda.amp.GradScaler  # or: DNN107
    return scaler_class(**options)


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = make(init_scale=1024.0)
    for x in loader:
        opt.zero_grad()
        with torch.cuda.amp.autocast(enabled=True):  # expect: DNN107
            loss = net(x).mean()
        scaler.scale(loss).backward()
        scaler.step(opt)
        scaler.update()
