import torch
from torch.utils.data import DataLoader

from config import TrainConfig
from data import TokenWindows
from engine import train_epoch
from nets import TinyGPT


def main(cfg: TrainConfig):
    model = TinyGPT(block=cfg.block).cuda()
    loader = DataLoader(TokenWindows(cfg.data, cfg.block), cfg.batch_size, shuffle=True, num_workers=8)
    optimizer = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for _ in range(cfg.epochs):
        train_epoch(model, loader, optimizer, cfg)
        torch.save(model.state_dict(), "model.pt")


if __name__ == "__main__":
    main(TrainConfig())
