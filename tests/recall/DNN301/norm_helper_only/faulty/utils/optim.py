import torch


def grad_norm(parameters):
    """The 2-norm of all gradients, for the log."""
    grads = [p.grad.detach() for p in parameters if p.grad is not None]
    return torch.stack([g.norm(2) for g in grads]).norm(2)


def finish_step(optimizer):
    optimizer.step()  # or: DNN301
    optimizer.zero_grad(set_to_none=True)
