import torch


def make_optimizer(model, lr, wd=0.1):
    decay = [p for p in model.parameters() if p.dim() >= 2]
    rest = [p for p in model.parameters() if p.dim() < 2]
    return torch.optim.AdamW([{"params": decay, "weight_decay": wd}, {"params": rest, "weight_decay": 0.0}], lr=lr)


def update(optimizer, parameters, clip):
    torch.nn.utils.clip_grad_norm_(parameters, clip)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
