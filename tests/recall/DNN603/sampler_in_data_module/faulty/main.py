import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

from data import build
from engine import train_one_epoch
from nets import TinyGPT
from utils.dist import is_main, setup_ddp


def main(epochs=10):
    rank = setup_ddp()
    loader = build("train.bin", 512, 16)  # or: DNN603
    model = DistributedDataParallel(TinyGPT().cuda(), device_ids=[rank])
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for epoch in range(epochs):  # expect: DNN603
        loss = train_one_epoch(model, loader, opt, epoch)
        if is_main():
            print(epoch, loss)
            torch.save({"model": model.module.state_dict(), "opt": opt.state_dict(), "epoch": epoch}, "ck.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
