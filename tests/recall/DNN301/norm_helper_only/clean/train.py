import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from engine import train_epoch
from nets import TinyGPT


def main():
    model = TinyGPT(dim=384, heads=6, layers=6, block=256).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(TokenWindows("shakespeare.bin", 256), 64, shuffle=True, num_workers=8)
    for epoch in range(20):
        train_epoch(model, loader, optimizer)
        torch.save(model.state_dict(), "gpt.pt")


if __name__ == "__main__":
    main()
