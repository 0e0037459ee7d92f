# autocast is prepared with functools.partial and called for every batch.
import functools

import torch
from torch import nn

half = functools.partial(torch.autocast, device_type="cuda", dtype=torch.float16)


def train(model: nn.Module, loader, lr: float):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=lr, total_steps=len(loader))
    for image, text in loader:
        with half():
            a = nn.functional.normalize(model.image_tower(image.cuda()), dim=-1)
            b = nn.functional.normalize(model.text_tower(text.cuda()), dim=-1)
            scores = a @ b.T * model.temperature.exp()
            truth = torch.arange(len(scores), device=scores.device)
            loss = nn.functional.cross_entropy(scores, truth) + nn.functional.cross_entropy(scores.T, truth)
        loss.backward()  # expect: DNN101
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad(set_to_none=True)
