import numpy as np
import torch
from torch.utils.data import Dataset


class AugmentedDataset(Dataset):
    def __init__(self, items, seed=42):
        self.items = items
        self._rng = None

    @property
    def rng(self):
        if self._rng is None:
            self._rng = np.random.default_rng(torch.initial_seed() % 2**32)
        return self._rng

    def __len__(self):
        return len(self.items)
