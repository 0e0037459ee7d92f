import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from engine import train
from nets import TinyGPT

if __name__ == "__main__":
    gpt = TinyGPT(dim=768, heads=12, layers=12).cuda()
    opt = torch.optim.AdamW(gpt.parameters(), lr=6e-4)
    loader = DataLoader(TokenWindows("openwebtext.bin", 512), 12, shuffle=True, num_workers=8)
    train(gpt, loader, opt, steps=100_000)
