import numpy as np
from torch.utils.data import Dataset


class AugmentedDataset(Dataset):
    def __init__(self, items, seed=42):
        self.items = items
        self.rng = np.random.default_rng(seed)  # expect: DNN406

    def __len__(self):
        return len(self.items)
