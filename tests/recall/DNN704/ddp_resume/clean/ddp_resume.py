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
def main():
    local_rank = setup_ddp()
    net = SmallCNN(100).cuda()
    opt = torch.optim.SGD(net.parameters(), 0.1, momentum=0.9)
    start = 0
    if os.path.exists("last.pt"):
        state = torch.load("last.pt", map_location="cpu", weights_only=True)
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
        start = state["epoch"] + 1
    model = DDP(net, device_ids=[local_rank])
    ds = PatchDataset("patches")
    sampler = DistributedSampler(ds)
    loader = DataLoader(ds, 64, sampler=sampler, num_workers=8)
    for epoch in range(start, 60):
        sampler.set_epoch(epoch)
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        if dist.get_rank() == 0:
            print(epoch, loss.item())
            torch.save({"net": net.state_dict(), "opt": opt.state_dict(), "epoch": epoch}, "last.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
