import lightning as L
import torch


class BinaryModule(L.LightningModule):
    def __init__(self, net, lr=1e-3):
        super().__init__()
        self.net, self.lr = net, lr

    def predict(self, x):
        return torch.sigmoid(self.net(x))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), lr=self.lr)
