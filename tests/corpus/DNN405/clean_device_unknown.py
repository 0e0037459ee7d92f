# Which device the dataset gets is not known here.
import torch
from torch.utils.data import DataLoader, Dataset


class Samples(Dataset):
    def __init__(self, rows, device):
        self.rows, self.device = rows, device

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return torch.tensor(self.rows[i]).to(self.device)


def train(net, rows, device):
    opt = torch.optim.Adam(net.parameters())
    for x in DataLoader(Samples(rows, device), 8, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
