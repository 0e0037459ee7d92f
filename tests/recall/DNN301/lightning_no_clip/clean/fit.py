import lightning as L
import numpy as np
import torch
from lightning.pytorch.callbacks import ModelCheckpoint
from torch.utils.data import DataLoader, Dataset

from lit_module import LitGPT


class TokenWindows(Dataset):
    def __init__(self, path, block_size):
        self.data = np.memmap(path, dtype=np.uint16, mode="r")
        self.block_size = block_size

    def __len__(self):
        return (len(self.data) - 1) // self.block_size

    def __getitem__(self, i):
        start = i * self.block_size
        chunk = self.data[start : start + self.block_size + 1].astype(np.int64)
        return torch.from_numpy(chunk[:-1]), torch.from_numpy(chunk[1:])


if __name__ == "__main__":
    L.seed_everything(1)
    loader = DataLoader(TokenWindows("train.bin", 256), 32, shuffle=True, num_workers=8, pin_memory=True)
    trainer = L.Trainer(
        max_steps=50_000, accelerator="gpu", precision="bf16-mixed", gradient_clip_val=1.0,
        callbacks=[ModelCheckpoint(every_n_train_steps=1000)],
    )
    trainer.fit(LitGPT(), loader)
