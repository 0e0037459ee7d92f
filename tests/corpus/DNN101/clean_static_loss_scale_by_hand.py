# An own scheme: static loss scale, FP32 master weights, gradients divided before the step.
import torch
from torch import nn

LOSS_SCALE = 1024.0


def train(net, data, steps):
    net = net.cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for step, (x, y) in zip(range(steps), data):
        opt.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        (loss * LOSS_SCALE).backward()
        grads = [p.grad for p in net.parameters() if p.grad is not None]
        torch._foreach_div_(grads, LOSS_SCALE)
        if all(torch.isfinite(g).all() for g in grads):
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            opt.step()
        if step % 500 == 0:
            print(step, loss.item())
