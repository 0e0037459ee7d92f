import torch


def clip(model, max_norm):
    return torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)  # expect: DNN305
