import os

import torch


def save_checkpoint(state, folder, epoch):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"epoch_{epoch:03d}.pth")
    torch.save(state, path)  # expect: DNN605
