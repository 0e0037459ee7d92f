# A dataset class of this file that is moved to the GPU as a whole.
import torch
from torch.utils.data import DataLoader, Dataset


class Table(Dataset):
    def __init__(self, x, y, device="cuda"):
        self.x = x.to(device)
        self.y = y.to(device)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def fit(net, x, y):
    net.cuda()
    opt = torch.optim.Adam(net.parameters())
    for a, b in DataLoader(Table(x, y), batch_size=4096, shuffle=True):
        opt.zero_grad()
        torch.nn.functional.mse_loss(net(a), b).backward()
        opt.step()
