# A field of a dataclass that nobody overrides.
from dataclasses import dataclass

import torch
from torch.utils.data import DataLoader, Dataset


@dataclass
class DataConfig:
    path: str = "clips.h5"
    batch_size: int = 16
    num_workers: int = 3
    shuffle: bool = True


class Clips(Dataset):
    def __init__(self, path):
        import h5py

        self.file = h5py.File(path)["clips"]

    def __len__(self):
        return len(self.file)

    def __getitem__(self, i):
        return torch.from_numpy(self.file[i])


def train(model, epochs=10):
    cfg = DataConfig()
    loader = DataLoader(  # expect: DNN401
        Clips(cfg.path), cfg.batch_size, shuffle=cfg.shuffle, num_workers=cfg.num_workers
    )
    opt = torch.optim.Adam(model.parameters())
    for _ in range(epochs):
        for clip in loader:
            opt.zero_grad()
            model(clip).mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
