# In an epoch function with options.
import argparse

import torch


def train(model, loader, opt, accum, max_norm):
    opt.zero_grad()
    for step, batch in enumerate(loader, start=1):
        (model(batch.cuda()) / accum).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # expect: DNN303
        if step % accum == 0 or step == len(loader):
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--accum", type=int, default=8)
    ap.add_argument("--max-norm", type=float, default=1.0)
    args = ap.parse_args()
    from dunes import Net, loader

    net = Net().cuda()
    train(net, loader(), torch.optim.AdamW(net.parameters()), args.accum, args.max_norm)
