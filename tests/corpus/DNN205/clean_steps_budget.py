# A budget of micro-batches over a repeated loader; epochs have no meaning.
import torch


def train(net, loader, total_micro, n):
    opt = torch.optim.AdamW(net.parameters())
    done, stream = 0, iter(loader)
    while done < total_micro:
        try:
            x = next(stream)
        except StopIteration:
            stream = iter(loader)
            x = next(stream)
        (net(x).mean() / n).backward()
        done += 1
        if done % n == 0:
            opt.step()
            opt.zero_grad()
