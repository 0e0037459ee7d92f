# The start method of the program is spawn.
import torch
import torch.multiprocessing as mp
from torch.utils.data import DataLoader, Dataset


class Rendered(Dataset):
    def __init__(self, scenes):
        self.scenes = scenes

    def __len__(self):
        return len(self.scenes)

    def __getitem__(self, i):
        return self.scenes[i].render(torch.zeros(3, device="cuda"))


def main():
    from scenes import Net, load

    net = Net().cuda()
    opt = torch.optim.Adam(net.parameters())
    for x in DataLoader(Rendered(load()), 4, shuffle=True, num_workers=8):
        opt.zero_grad()
        net(x).mean().backward()
        opt.step()


if __name__ == "__main__":
    mp.set_start_method("spawn")
    main()
