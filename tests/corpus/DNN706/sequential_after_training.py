# The network is saved as it is after the training.
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([], batch_size=4):
    opt.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    opt.step()
torch.save(net, "net.pth")  # expect: DNN706
