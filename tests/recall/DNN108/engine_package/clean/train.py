import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

from engine import train_steps
from model import TinyGPT


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
    gpt = TinyGPT(dim=768, heads=12, layers=12).to("cuda")
    optimizer = torch.optim.AdamW(gpt.parameters(), lr=6e-4, weight_decay=0.1)
    loader = DataLoader(TokenWindows("owt.bin", 512), batch_size=12, shuffle=True, num_workers=8, pin_memory=True)
    train_steps(gpt, loader, optimizer, max_steps=50_000)
    torch.save(gpt.state_dict(), "gpt.pt")
