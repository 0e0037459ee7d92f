# The gradients are read after unscale_.
import torch


def train(net, loader, writer):
    opt = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for i, x in enumerate(loader):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = net(x.cuda()).mean()
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        for name, p in net.named_parameters():
            writer.add_histogram(name, p.grad, i)
        scaler.step(opt)
        scaler.update()
