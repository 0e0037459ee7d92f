# The workers are spawned, each has a CUDA context of its own.
import torch
from torch.utils.data import DataLoader, Dataset


class Decoded(Dataset):
    def __init__(self, files, decoder):
        self.files, self.decoder = files, decoder

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return self.decoder(self.files[i]).cuda()


def train(net, files, decoder):
    loader = DataLoader(
        Decoded(files, decoder), 4, shuffle=True, num_workers=8, multiprocessing_context="spawn"
    )
    opt = torch.optim.Adam(net.parameters())
    for x in loader:
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()
