# Lightning switches the mode.
import lightning as L
import torch
from torch import nn


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 32), nn.BatchNorm1d(32), nn.Dropout(), nn.Linear(32, 1))

    def training_step(self, batch, _):
        x, y = batch
        return nn.functional.mse_loss(self.body(x), y)

    def validation_step(self, batch, _):
        x, y = batch
        self.log("val", nn.functional.mse_loss(self.body(x), y))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters())
