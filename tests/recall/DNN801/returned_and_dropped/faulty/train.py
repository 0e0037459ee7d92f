import torch
from torch.utils.data import DataLoader

from data import TokenWindows
from engine import train_one_epoch
from nets import TinyGPT


def main():
    model = TinyGPT(block=256).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    loader = DataLoader(TokenWindows("train.bin", 256), 32, shuffle=True, num_workers=8)
    for epoch in range(20):  # or: DNN801
        train_one_epoch(model, loader, optimizer)  # or: DNN801
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, "ck.pt")


if __name__ == "__main__":
    main()
