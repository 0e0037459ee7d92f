# The start method is named, and it is the default one.
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, index):
        return torch.as_tensor(self.signals[index]).cuda()  # expect: DNN405


def load(signals):
    mp.set_start_method("fork")
    return DataLoader(Signals(signals), 32, shuffle=True, num_workers=4)
