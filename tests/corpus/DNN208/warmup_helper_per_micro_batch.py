# LambdaLR with warm-up in updates; the epoch function steps it for each micro-batch.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--accum", type=int, default=16)
parser.add_argument("--updates", type=int, default=10_000)
args = parser.parse_args()


def warmup(update, length=1000):
    return min(1.0, (update + 1) / length) * max(0.0, 1 - update / args.updates)


def run(model, stream, opt, sched):
    for n, batch in enumerate(stream, start=1):
        (model(batch) / args.accum).backward()
        if n % args.accum == 0:
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
        sched.step()  # expect: DNN208
        if n == args.updates * args.accum:
            break


if __name__ == "__main__":
    from news import Net, stream

    net = Net()
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-4)
    run(net, stream(), optimizer, torch.optim.lr_scheduler.LambdaLR(optimizer, warmup))
