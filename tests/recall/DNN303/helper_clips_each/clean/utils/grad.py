from torch.nn.utils import clip_grad_norm_


class GradAccumulator:
    def __init__(self, model, optimizer, parts, max_norm):
        self.model, self.optimizer = model, optimizer
        self.parts, self.max_norm = parts, max_norm

    def accumulate(self, loss):
        (loss / self.parts).backward()

    def apply(self):
        clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()
        self.optimizer.zero_grad()
