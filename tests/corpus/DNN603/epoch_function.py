# The loader goes to an epoch function; nobody tells the sampler the epoch.
import argparse

import torch
import torch.distributed as dist
import torch.utils.data as data


def train_epoch(model, loader, opt):
    model.train()
    for x in loader:
        opt.zero_grad()
        model(x.cuda()).mean().backward()
        opt.step()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()
    dist.init_process_group("nccl")
    torch.cuda.set_device(dist.get_rank() % torch.cuda.device_count())
    from hills import HillNet, HillSet

    train_set = HillSet("train")
    loader = data.DataLoader(  # or: DNN603
        train_set, 16, sampler=data.distributed.DistributedSampler(train_set), num_workers=8
    )
    model = torch.nn.parallel.DistributedDataParallel(HillNet().cuda())
    opt = torch.optim.AdamW(model.parameters())
    for _ in range(args.epochs):  # expect: DNN603
        train_epoch(model, loader, opt)


main()
