import torch


def backward(loss, scaler):
    scaler.scale(loss).backward(retain_graph=True)  # expect: DNN505


def step(optimizer, scaler, parameters):
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
