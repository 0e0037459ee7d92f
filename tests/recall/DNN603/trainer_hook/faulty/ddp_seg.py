import sys

import os
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.distributed import DistributedSampler

from base import Trainer


class PatchDataset(Dataset):
    """Image patches stored as one .npy file a sample, the label is in the file name."""

    def __init__(self, root, augment=False):
        self.files = sorted(Path(root).glob("*.npy"))
        self.augment = augment

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        path = self.files[index]
        image = torch.from_numpy(np.load(path)).float().permute(2, 0, 1) / 255.0
        if self.augment and torch.rand(()) < 0.5:
            image = image.flip(-1)
        return image, int(path.stem.split("_")[-1])


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


def setup_ddp():
    dist.init_process_group("nccl")
    local_rank = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local_rank)
    return local_rank


class DdpTrainer(Trainer):
    def __init__(self, root, local_rank):
        ds = PatchDataset(root, augment=True)
        sampler = DistributedSampler(ds)  # expect: DNN603
        loader = DataLoader(ds, 64, sampler=sampler, num_workers=8)  # or: DNN603
        net = DDP(SmallCNN(100).cuda(), device_ids=[local_rank])
        super().__init__(net, torch.optim.SGD(net.parameters(), 0.1), loader)

    def loss(self, batch):
        return F.cross_entropy(self.model(batch[0].cuda()), batch[1].cuda())

    def on_epoch_end(self, epoch, loss):
        if dist.get_rank() == 0:
            print(epoch, loss)
            torch.save(self.model.module.state_dict(), "net.pt")


if __name__ == "__main__":
    DdpTrainer(sys.argv[1], setup_ddp()).fit(60)  # or: DNN603
    dist.destroy_process_group()
