import torch


def backward(loss, optimizer, parts):
    (loss / parts).backward()


def step(optimizer, parameters):
    torch.nn.utils.clip_grad_norm_(parameters, 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
