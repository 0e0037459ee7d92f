# drop_last, and the number of batches is a multiple of the window.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM = 4
data = TensorDataset(torch.randn(4096, 20), torch.randint(0, 4, (4096,)))
loader = DataLoader(data, batch_size=64, shuffle=True, drop_last=True, num_workers=8)
model = nn.Linear(20, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(5):
    opt.zero_grad()
    for i, (x, y) in enumerate(loader):
        (nn.functional.cross_entropy(model(x), y) / ACCUM).backward()
        if (i + 1) % ACCUM == 0:
            opt.step()
            opt.zero_grad()
