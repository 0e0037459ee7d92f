# The base class of another file has the backward; here is only the forward context.
import torch

from base.trainer import Trainer


class DepthTrainer(Trainer):
    def forward_pass(self, batch):
        with torch.autocast("cuda", dtype=torch.float16):
            return self.criterion(self.model(batch["rgb"]), batch["depth"])

    def train_step(self, batch):
        loss = self.forward_pass(batch)
        self.backward(loss)
        self.step()
        return {"loss": loss.item()}
