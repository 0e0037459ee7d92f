# The two-part functions of torch 2.6: get_total_norm and clip_grads_with_norm_.
import torch
from torch.nn.utils import clip_grads_with_norm_, get_total_norm


def train(model, loader, max_norm=1.0):
    params = list(model.parameters())
    opt = torch.optim.AdamW(params, lr=1e-4)
    for batch in loader:
        opt.zero_grad()
        model(batch).backward()
        norm = get_total_norm([p.grad for p in params if p.grad is not None])
        clip_grads_with_norm_(params, max_norm, norm)
        opt.step()
