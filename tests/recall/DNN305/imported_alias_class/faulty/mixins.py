from torch.nn.utils import clip_grad_norm as clip  # or: DNN305


class ClippedStepMixin:
    max_norm = 1.0

    def step(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        norm = clip(self.model.parameters(), self.max_norm)  # expect: DNN305
        self.optimizer.step()
        return norm
