# Only the existence of gradients is asked, not their size.
import torch


def train(net, loader):
    opt = torch.optim.Adam(net.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for x in loader:
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = net(x.cuda()).mean()
        scaler.scale(loss).backward()
        unused = [n for n, p in net.named_parameters() if p.grad is None]
        if unused:
            print("no gradient:", unused)
        scaler.step(opt)
        scaler.update()
