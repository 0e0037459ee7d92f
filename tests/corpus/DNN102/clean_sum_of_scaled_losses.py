# Two scaled losses, one step, one update.
import torch


def train(net, loader):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda")
    for a, b in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            la, lb = net(a.cuda()).mean(), net(b.cuda()).var()
        scaler.scale(la).backward()
        scaler.scale(lb).backward()
        scaler.step(opt)
        scaler.update()
