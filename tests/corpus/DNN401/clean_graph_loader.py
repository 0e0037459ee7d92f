# A loader of torch_geometric: graphs are batched by its own collater.
import torch
from torch_geometric.datasets import QM9
from torch_geometric.loader import DataLoader
from torch_geometric.nn import GCNConv, global_mean_pool


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = GCNConv(11, 64)
        self.out = torch.nn.Linear(64, 1)

    def forward(self, data):
        hidden = self.conv(data.x, data.edge_index).relu()
        return self.out(global_mean_pool(hidden, data.batch))


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for graphs in DataLoader(QM9("qm9"), batch_size=64, shuffle=True):
    opt.zero_grad()
    (net(graphs).squeeze(1) - graphs.y[:, 0]).abs().mean().backward()
    opt.step()
