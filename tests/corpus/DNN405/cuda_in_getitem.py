# __getitem__ moves to CUDA, in forked workers.
import torch
from torch.utils.data import DataLoader, Dataset


class Pictures(Dataset):
    def __init__(self, paths, read):
        self.paths, self.read = paths, read

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        image = torch.as_tensor(self.read(self.paths[i]))
        return image.cuda()  # expect: DNN405


def train(net, paths, read):
    net.cuda()
    opt = torch.optim.Adam(net.parameters())
    for batch in DataLoader(Pictures(paths, read), 16, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(batch).mean().backward()
        opt.step()
