import torch
from torch.utils.data import DataLoader

from config import RunConfig
from data import TokenWindows
from engine import Engine
from model import TinyGPT


def main():
    cfg = RunConfig()
    loader = DataLoader(TokenWindows(cfg.data, cfg.block_size), cfg.batch_size, shuffle=True, num_workers=8, drop_last=True)
    model = TinyGPT(block=cfg.block_size).to("cuda")
    engine = Engine(model, torch.optim.AdamW(model.parameters(), lr=cfg.lr), cfg)
    it = 0
    while it < cfg.max_iters:
        for idx, targets in loader:
            loss = engine.run_step(idx.cuda(), targets.cuda())
            if it % 100 == 0:
                print(it, loss.item())
            it += 1
            if it >= cfg.max_iters:
                break
    torch.save(model.state_dict(), "gpt.pt")


if __name__ == "__main__":
    main()
