# A fallback beside DDP: reported as advice.
import argparse

import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


def wrap(model, args):
    if args.distributed:
        torch.cuda.set_device(args.local_rank)
        model = DistributedDataParallel(model.cuda(), device_ids=[args.local_rank])
    else:
        model = torch.nn.DataParallel(model.cuda())  # expect: DNN601
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--distributed", action="store_true")
    parser.add_argument("--local-rank", type=int, default=0)
    args = parser.parse_args()
    if args.distributed:
        dist.init_process_group("nccl")
    from cities import CityNet, loader

    model = wrap(CityNet(), args)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader(args.distributed):
        opt.zero_grad()
        torch.nn.functional.mse_loss(model(x.cuda()), y.cuda()).backward()
        opt.step()


main()
