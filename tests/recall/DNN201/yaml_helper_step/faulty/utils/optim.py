import torch


class WindowedStepper:
    """Counts backward calls and steps once per window."""

    def __init__(self, optimizer, window, max_norm=1.0):
        self.optimizer, self.window, self.max_norm = optimizer, window, max_norm
        self.count = 0
        self.updates = 0

    def advance(self, parameters):
        self.count += 1
        if self.count < self.window:
            return False
        params = [p for p in parameters if p.grad is not None]
        torch.nn.utils.clip_grad_norm_(params, self.max_norm)
        self.optimizer.step()  # or: DNN201
        self.optimizer.zero_grad(set_to_none=True)
        self.count = 0
        self.updates += 1
        return True
