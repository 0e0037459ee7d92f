from pathlib import Path

import torch


class Saver:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, epoch, model, optimizer):
        bundle = {"epoch": epoch, "model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(bundle, self.folder / f"{epoch:03d}.pt")
