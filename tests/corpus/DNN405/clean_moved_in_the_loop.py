# Moved in the loop.
import torch
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 1000

    def __getitem__(self, i):
        return torch.full((4,), float(i))


net = torch.nn.Linear(4, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=1e-6)
for x in DataLoader(Numbers(), 10, shuffle=True, num_workers=8, pin_memory=True):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()
