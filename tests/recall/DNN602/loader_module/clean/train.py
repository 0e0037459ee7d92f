import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel as DDP

from data.loaders import train_loader
from nets import SmallCNN
from utils.dist import is_main, setup_ddp


def main():
    local = setup_ddp()
    loader = train_loader("patches", 1024, dist.get_rank(), dist.get_world_size())
    model = DDP(SmallCNN(100).cuda(), device_ids=[local])
    opt = torch.optim.SGD(model.parameters(), 0.4, momentum=0.9)
    for epoch in range(60):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            loss = F.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
        if is_main():
            print(epoch, loss.item())
            torch.save(model.module.state_dict(), "net.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
