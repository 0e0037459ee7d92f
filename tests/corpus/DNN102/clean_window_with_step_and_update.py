# Accumulation: step and update both belong to the window, backward to the micro-batch.
import torch
from torch import nn

ACCUM = 4


def train(model, loader, epochs):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(epochs):
        for i, (ids, labels) in enumerate(loader, start=1):
            with torch.autocast("cuda", dtype=torch.float16):
                loss = nn.functional.cross_entropy(model(ids.cuda()), labels.cuda())
            scaler.scale(loss / ACCUM).backward()
            if i % ACCUM != 0 and i != len(loader):
                continue
            scaler.unscale_(opt)
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            scaler.step(opt)
            scaler.update()
            opt.zero_grad(set_to_none=True)
