# The data lie on the GPU: they cannot be pinned.
import torch
from torch.utils.data import DataLoader, TensorDataset

x = torch.randn(50_000, 100, device="cuda")
y = x.sum(1, keepdim=True)
loader = DataLoader(TensorDataset(x, y), batch_size=1000, shuffle=True)
net = torch.nn.Linear(100, 1).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for a, b in loader:
    opt.zero_grad()
    torch.nn.functional.mse_loss(net(a), b).backward()
    opt.step()
