# The flag of the window is tested only for the step.
import torch


def train(net, loader, n=4):
    opt = torch.optim.AdamW(net.parameters())
    total = len(loader)
    for i, x in enumerate(loader):
        boundary = (i + 1) % n == 0 or i + 1 == total
        loss = net(x).mean() / n
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)  # expect: DNN303
        if boundary:
            opt.step()
            opt.zero_grad()
            print(i, norm.item())
