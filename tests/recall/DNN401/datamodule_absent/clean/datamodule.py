import lightning as L
from torch.utils.data import DataLoader, random_split
from torchvision import datasets, transforms


class CifarData(L.LightningDataModule):
    def __init__(self, root="data", batch_size=128, num_workers=8):
        super().__init__()
        self.root, self.batch_size, self.num_workers = root, batch_size, num_workers

    def setup(self, stage=None):
        full = datasets.CIFAR10(self.root, train=True, download=True, transform=transforms.ToTensor())
        self.train, self.val = random_split(full, [45000, 5000])

    def train_dataloader(self):
        return DataLoader(self.train, batch_size=self.batch_size, shuffle=True, pin_memory=True, num_workers=self.num_workers)

    def val_dataloader(self):
        return DataLoader(self.val, batch_size=256, num_workers=8)
