import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


class SmallCNN(nn.Module):
    def __init__(self, num_classes=10, width=64):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(inplace=True), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.BatchNorm2d(2 * width), nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(1),
        )
        self.fc = nn.Linear(2 * width, num_classes)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))


def cifar(train, **kwargs):
    tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])
    return DataLoader(datasets.CIFAR10("data", train=train, download=True, transform=tf), num_workers=8, pin_memory=True, **kwargs)
class Hooked(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = SmallCNN(10)
        self.activation = None

    def keep(self, module, inputs, output):
        self.activation = output

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 1e-3)


class SparseLit(Hooked):
    def training_step(self, batch, batch_idx):
        x, y = batch
        self.net.features.register_forward_hook(self.keep)  # expect: DNN515
        logits = self.net(x)
        loss = F.cross_entropy(logits, y) + 1e-4 * self.activation.abs().mean()
        self.log("loss", loss, prog_bar=True)
        return loss


if __name__ == "__main__":
    trainer = L.Trainer(max_epochs=20, accelerator="gpu", precision="bf16-mixed", gradient_clip_val=1.0)
    trainer.fit(SparseLit(), cifar(True, batch_size=256, shuffle=True))
