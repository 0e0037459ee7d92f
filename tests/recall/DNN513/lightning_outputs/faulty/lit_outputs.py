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
class EpochOutputs(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.outputs = []

    def on_validation_epoch_end(self):
        probs = torch.cat([p for p, _ in self.outputs])
        labels = torch.cat([y for _, y in self.outputs])
        self.log("val_acc", (probs.argmax(1) == labels).float().mean(), prog_bar=True)
        self.outputs.clear()


class Lit(EpochOutputs):
    def __init__(self):
        super().__init__()
        self.net = SmallCNN(10)

    def training_step(self, batch, _):
        loss = F.cross_entropy(self.net(batch[0]), batch[1])
        self.log("loss", loss)
        return loss

    def validation_step(self, batch, _):
        x, y = batch
        self.outputs.append((self.net(x).softmax(1), y))  # expect: DNN513

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 1e-3)


if __name__ == "__main__":
    trainer = L.Trainer(max_epochs=20, accelerator="gpu", precision="bf16-mixed", gradient_clip_val=1.0)
    trainer.fit(Lit(), cifar(True, batch_size=256, shuffle=True), cifar(False, batch_size=512))
