# A tensor is made on the device.
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

DEVICE = torch.device("cuda:0")


class Signals(Dataset):
    def __init__(self, folder):
        self.files = sorted(folder.glob("*.npy"))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, index):
        values = np.load(self.files[index])
        return torch.tensor(values, dtype=torch.float32, device=DEVICE)  # expect: DNN405


class Trainer:
    def __init__(self, net, folder):
        self.net = net.to(DEVICE)
        self.loader = DataLoader(Signals(folder), batch_size=8, shuffle=True, num_workers=8)
        self.opt = torch.optim.Adam(net.parameters())

    def fit(self):
        for signal in self.loader:
            self.opt.zero_grad()
            self.net(signal).mean().backward()
            self.opt.step()
