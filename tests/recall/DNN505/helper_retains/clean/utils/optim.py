import torch


def backward(main_loss, edge_loss, scaler):
    scaler.scale(main_loss).backward(retain_graph=True)
    scaler.scale(edge_loss).backward()


def step(optimizer, scaler, parameters):
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
