import torch


def param_groups(model, weight_decay):
    decay = [p for p in model.parameters() if p.ndim > 1]
    rest = [p for p in model.parameters() if p.ndim <= 1]
    return [{"params": decay, "weight_decay": weight_decay}, {"params": rest, "weight_decay": 0.0}]


def create_optimizer(cfg, model):
    groups = param_groups(model, cfg.weight_decay)
    # summed gradients behave like a larger batch
    lr = cfg.lr / cfg.grad_accum  # or: DNN203
    return torch.optim.AdamW(groups, lr=lr, betas=(0.9, 0.98))  # expect: DNN203
