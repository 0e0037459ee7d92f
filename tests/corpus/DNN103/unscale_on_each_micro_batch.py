# Accumulation in a function: unscale_ on every micro-batch raises on the second one of the window.
import argparse

import torch
from torch import nn

cli = argparse.ArgumentParser()
cli.add_argument("--accum", type=int, default=4)


def train(model, loader, optimizer, scaler, accum):
    optimizer.zero_grad()
    for index, (image, caption) in enumerate(loader):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(image.cuda(), caption.cuda()) / accum
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)  # expect: DNN103
        if (index + 1) % accum == 0:
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


if __name__ == "__main__":
    opts = cli.parse_args()
    from captions import Captioner, loader

    captioner = Captioner().cuda()
    adamw = torch.optim.AdamW(captioner.parameters(), lr=2e-5)
    for _ in range(5):
        train(captioner, loader(), adamw, torch.amp.GradScaler("cuda"), opts.accum)
