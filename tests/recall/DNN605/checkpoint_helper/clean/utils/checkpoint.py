import os

import torch

from .dist import is_main


def save_checkpoint(state, folder, epoch):
    if not is_main():
        return
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"epoch_{epoch:03d}.pth")
    torch.save(state, path)
