# The dataset lies on the GPU and there are no workers.
import torch
from torch.utils.data import DataLoader, Dataset


class OnDevice(Dataset):
    def __init__(self, table):
        self.table = table.cuda()

    def __len__(self):
        return len(self.table)

    def __getitem__(self, i):
        return self.table[i].cuda()


def train(net, table):
    opt = torch.optim.Adam(net.parameters())
    for x in DataLoader(OnDevice(table), 256, shuffle=True, num_workers=0):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
