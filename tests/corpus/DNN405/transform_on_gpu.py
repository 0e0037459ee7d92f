# A method that __getitem__ calls makes the tensor on the device.
import torch
from torch.utils.data import DataLoader, Dataset


class Boards(Dataset):
    def __init__(self, games):
        self.games = games

    def __len__(self):
        return len(self.games)

    def encode(self, game):
        planes = torch.zeros(12, 8, 8, device="cuda")  # expect: DNN405
        for piece, rank, file in game:
            planes[piece, rank, file] = 1
        return planes

    def __getitem__(self, i):
        return self.encode(self.games[i])


def train(net, games):
    opt = torch.optim.Adam(net.parameters())
    for x in DataLoader(Boards(games), 64, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
