import lightning as L
from lightning.pytorch.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from lit_classifier import LitClassifier


def main():
    tf = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.5,) * 3, (0.5,) * 3)])
    train = DataLoader(datasets.CIFAR10("data", train=True, download=True, transform=tf), 256, shuffle=True, num_workers=8)
    val = DataLoader(datasets.CIFAR10("data", train=False, transform=tf), 512, num_workers=8)
    trainer = L.Trainer(accelerator="gpu", devices=1, max_epochs=50, gradient_clip_val=1.0, callbacks=[ModelCheckpoint(monitor="val_acc", mode="max")])  # expect: DNN108
    trainer.fit(LitClassifier(), train, val)


if __name__ == "__main__":
    main()
