# The default of the class is out of range, but its only caller passes twelve.
import torch
from torch.utils.data import DataLoader


class DataModule:
    def __init__(self, dataset, batch_size=32, num_workers=0):
        self.dataset = dataset
        self.batch_size = batch_size
        self.num_workers = num_workers

    def train_loader(self):
        return DataLoader(self.dataset, self.batch_size, shuffle=True, num_workers=self.num_workers)


def main():
    from kelp import KelpNet, KelpSet

    module = DataModule(KelpSet("train"), num_workers=12)
    net = KelpNet()
    opt = torch.optim.Adam(net.parameters())
    for x, y in module.train_loader():
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        opt.step()


main()
