# How workers start is an option.
import argparse

import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset

parser = argparse.ArgumentParser()
parser.add_argument("--start", default="spawn")
args = parser.parse_args()


class Signals(Dataset):
    def __init__(self, signals):
        self.signals = signals

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, index):
        return torch.as_tensor(self.signals[index]).cuda()


def load(signals):
    mp.set_start_method(args.start)
    return DataLoader(Signals(signals), 32, shuffle=True, num_workers=4)
