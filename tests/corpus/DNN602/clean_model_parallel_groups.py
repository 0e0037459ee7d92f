import os

import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torchvision.datasets import CIFAR10

from project.tensor_parallel import parallelize


def main():
    dist.init_process_group("nccl")
    local = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(local)
    mesh = init_device_mesh("cuda", (2, 4), mesh_dim_names=("dp", "tp"))
    net = parallelize(nn.Linear(3072, 10).cuda(), mesh["tp"])
    model = DDP(net, process_group=mesh["dp"].get_group())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    # The ranks of one tensor-parallel group have to see the same batches.
    loader = DataLoader(CIFAR10("data", train=True), batch_size=64)
    for x, y in loader:
        opt.zero_grad()
        nn.functional.cross_entropy(model(x.flatten(1).cuda()), y.cuda()).backward()
        opt.step()
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
