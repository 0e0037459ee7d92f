# Lightning gets gradient_clip_val.
import lightning as L
import torch
from torch import nn

from grain import GrainData


class GrainNet(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.LazyLinear(5))

    def training_step(self, batch, batch_idx):
        x, y = batch
        return nn.functional.cross_entropy(self.net(x), y)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    options = {"max_epochs": 30, "gradient_clip_val": 0.5, "precision": "bf16-mixed"}
    L.Trainer(**options).fit(GrainNet(), datamodule=GrainData())
