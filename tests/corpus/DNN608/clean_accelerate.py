import torch
import torch.distributed as dist
from accelerate import Accelerator


def main(model, loader):
    dist.init_process_group("nccl")
    accelerator = Accelerator()
    model, loader = accelerator.prepare(model, loader)
    for x in loader:
        accelerator.backward(model(x).mean())


if __name__ == "__main__":
    main(torch.nn.Linear(8, 8), [])
