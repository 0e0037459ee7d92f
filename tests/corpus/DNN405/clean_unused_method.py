# A method for the caller moves to CUDA; the workers never call it.
import torch
from torch.utils.data import DataLoader, Dataset


class Boards(Dataset):
    def __init__(self, games):
        self.games = games

    def __len__(self):
        return len(self.games)

    def __getitem__(self, i):
        return torch.as_tensor(self.games[i])

    def all_on_gpu(self):
        return torch.stack([torch.as_tensor(g) for g in self.games]).cuda()


def train(net, games):
    data = Boards(games)
    print(data.all_on_gpu().shape)
    opt = torch.optim.Adam(net.parameters())
    for x in DataLoader(data, 64, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x.cuda()).mean().backward()
        opt.step()
