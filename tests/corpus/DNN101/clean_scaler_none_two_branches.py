# The scaler is None when AMP is off; autocast follows the scaler and each branch has its own calls.
import argparse

import torch
from torch import nn


def train(model, loader, optimizer, scaler, clip):
    for source, target in loader:
        optimizer.zero_grad()
        with torch.cuda.amp.autocast(enabled=scaler is not None):
            loss = nn.functional.l1_loss(model(source.cuda()), target.cuda())
        if scaler is not None:
            scaler.scale(loss).backward()
            scaler.unscale_(optimizer)
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            scaler.step(optimizer)
            scaler.update()
        else:
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()


if __name__ == "__main__":
    cli = argparse.ArgumentParser()
    cli.add_argument("--amp", action="store_true")
    cli.add_argument("--clip", type=float, default=1.0)
    args = cli.parse_args()
    from superres import Upscaler, pairs

    net = Upscaler(scale=4).cuda()
    adam = torch.optim.Adam(net.parameters(), lr=1e-4)
    grad_scaler = torch.cuda.amp.GradScaler() if args.amp else None
    for _ in range(100):
        train(net, pairs(), adam, grad_scaler, args.clip)
