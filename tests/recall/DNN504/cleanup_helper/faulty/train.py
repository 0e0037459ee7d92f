import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from engine import train_epoch
from nets import TinyGPT

if __name__ == "__main__":
    gpt = TinyGPT(dim=1024, heads=16, layers=24).cuda()
    opt = torch.optim.AdamW(gpt.parameters(), lr=2e-4)
    for epoch in range(2):
        train_epoch(gpt, DataLoader(TokenWindows("train.bin", 512), 8, shuffle=True, num_workers=8), opt)
        torch.save(gpt.state_dict(), f"gpt{epoch}.pt")
