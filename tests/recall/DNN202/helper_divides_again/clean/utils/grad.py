import torch


def backward_micro(loss, scaler, accum_iter):
    scaled = loss / accum_iter
    scaler.scale(scaled).backward()
    return scaled.detach()


def apply_update(optimizer, scaler, parameters, clip):
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(parameters, clip)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
