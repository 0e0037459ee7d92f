# Lightning with precision="16-mixed": training_step returns the loss, the trainer does the rest.
import lightning.pytorch as pl
import torch
from torch import nn

from wells import make_datamodule


class PressureNet(pl.LightningModule):
    def __init__(self, width=128):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(24, width), nn.Tanh(), nn.Linear(width, 1))

    def training_step(self, batch, batch_idx):
        x, y = batch
        loss = nn.functional.mse_loss(self.body(x).squeeze(1), y)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-3)


if __name__ == "__main__":
    trainer = pl.Trainer(max_epochs=50, precision="16-mixed", accelerator="gpu", gradient_clip_val=1.0)
    trainer.fit(PressureNet(), datamodule=make_datamodule())
