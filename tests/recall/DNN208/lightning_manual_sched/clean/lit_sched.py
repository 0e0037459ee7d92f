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
class LitAccum(L.LightningModule):
    accum = 4

    def __init__(self, steps_per_epoch, epochs):
        super().__init__()
        self.automatic_optimization = False
        self.net = SmallCNN(10)
        self.total_updates = epochs * ((steps_per_epoch + self.accum - 1) // self.accum)

    def configure_optimizers(self):
        opt = torch.optim.SGD(self.parameters(), lr=0.2, momentum=0.9)
        return [opt], [torch.optim.lr_scheduler.CosineAnnealingLR(opt, T_max=self.total_updates)]

    def training_step(self, batch, batch_idx):
        opt, sched = self.optimizers(), self.lr_schedulers()
        loss = F.cross_entropy(self.net(batch[0]), batch[1])
        self.manual_backward(loss / self.accum)
        if (batch_idx + 1) % self.accum == 0 or self.trainer.is_last_batch:
            self.clip_gradients(opt, gradient_clip_val=2.0)
            opt.step()
            opt.zero_grad()
            sched.step()
        self.log("train_loss", loss)


if __name__ == "__main__":
    loader = cifar(True, batch_size=128, shuffle=True)
    L.Trainer(max_epochs=30, precision="bf16-mixed").fit(LitAccum(len(loader), 30), loader)
