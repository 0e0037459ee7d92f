# A constant above the range.
import torch
from torch.utils.data import DataLoader

from voxels import VoxelNet, VoxelSet

NUM_WORKERS = 48
BATCH = 4


def main():
    loader = DataLoader(VoxelSet("train"), BATCH, shuffle=True, num_workers=NUM_WORKERS)  # expect: DNN401
    net = VoxelNet().cuda()
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    for epoch in range(12):
        for points, label in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(points.cuda()), label.cuda()).backward()
            torch.nn.utils.clip_grad_value_(net.parameters(), 1.0)
            opt.step()


main()
