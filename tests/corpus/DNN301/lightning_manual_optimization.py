# Lightning with manual optimization: nothing clips unless the module does.
import lightning as L
import torch
from torch import nn


class Gan(L.LightningModule):
    def __init__(self, g, d):
        super().__init__()
        self.g, self.d = g, d
        self.automatic_optimization = False

    def training_step(self, real, _):
        og, od = self.optimizers()
        fake = self.g(torch.randn(len(real), 64, device=self.device))
        od.zero_grad()
        self.manual_backward(nn.functional.softplus(self.d(fake.detach())).mean() + nn.functional.softplus(-self.d(real)).mean())
        od.step()  # or: DNN301
        og.zero_grad()
        self.manual_backward(nn.functional.softplus(-self.d(fake)).mean())
        og.step()  # expect: DNN301

    def configure_optimizers(self):
        return torch.optim.Adam(self.g.parameters()), torch.optim.Adam(self.d.parameters())
