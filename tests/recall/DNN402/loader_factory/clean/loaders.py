import torch
from torch.utils.data import DataLoader

from data import TokenWindows


def get_train_loader(path, block, batch_size, workers=8):
    common = dict(batch_size=batch_size, num_workers=workers, persistent_workers=True, drop_last=True)
    return DataLoader(TokenWindows(path, block), shuffle=True, pin_memory=torch.cuda.is_available(), **common)
