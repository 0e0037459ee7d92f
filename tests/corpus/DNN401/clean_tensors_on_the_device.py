# A TensorDataset whose tensors lie on the GPU: workers could not read it.
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda")
points = torch.rand(100_000, 3, device=device)
values = torch.sin(points.sum(dim=1, keepdim=True))
loader = DataLoader(TensorDataset(points, values), batch_size=4096, shuffle=True)
field = nn.Sequential(nn.Linear(3, 128), nn.SiLU(), nn.Linear(128, 1)).to(device)
opt = torch.optim.Adam(field.parameters(), lr=1e-3)
for epoch in range(100):
    for p, v in loader:
        opt.zero_grad()
        nn.functional.mse_loss(field(p), v).backward()
        nn.utils.clip_grad_norm_(field.parameters(), 1.0)
        opt.step()
