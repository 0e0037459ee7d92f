import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from layers import Checkpointable, ConvStage


class Lit(L.LightningModule):
    def __init__(self, classes=102):
        super().__init__()
        self.net = nn.Sequential(ConvStage(3, 64), ConvStage(64, 128), ConvStage(128, 256), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(256, classes))
        for module in self.net.modules():
            if isinstance(module, Checkpointable):
                module.grad_checkpointing = True

    def training_step(self, batch, _):
        loss = F.cross_entropy(self.net(batch[0]), batch[1])
        self.log("loss", loss, prog_bar=True)
        return loss

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 5e-4)


if __name__ == "__main__":
    tf = transforms.Compose([transforms.RandomResizedCrop(224), transforms.ToTensor()])
    flowers = datasets.Flowers102("data", split="train", download=True, transform=tf)
    trainer = L.Trainer(max_epochs=50, precision="bf16-mixed", gradient_clip_val=1.0)
    trainer.fit(Lit(), DataLoader(flowers, 64, shuffle=True, num_workers=8))
