import torch


def grad_norm(parameters, limit=1.0):
    """Clips to the limit and returns the 2-norm of all gradients before it, for the log."""
    return torch.nn.utils.clip_grad_norm_(list(parameters), limit)


def finish_step(optimizer):
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
