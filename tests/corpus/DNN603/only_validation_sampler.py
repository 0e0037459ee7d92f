# set_epoch is called on the sampler of the validation, not on that of the training.
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, DistributedSampler

dist.init_process_group("nccl")
torch.cuda.set_device(dist.get_rank())

from hills import HillNet, HillSet  # noqa: E402

train_set, val_set = HillSet("train"), HillSet("val")
val_sampler = DistributedSampler(val_set, shuffle=False)
val_loader = DataLoader(val_set, 64, sampler=val_sampler, num_workers=8)

model = torch.nn.parallel.DistributedDataParallel(HillNet().cuda())
opt = torch.optim.Adam(model.parameters())
train_sampler = DistributedSampler(train_set)  # or: DNN603
train_loader = DataLoader(train_set, 64, sampler=train_sampler, num_workers=8)  # or: DNN603
for epoch in range(12):  # expect: DNN603
    val_sampler.set_epoch(epoch)
    model.train()
    for x, y in train_loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
        opt.step()
    model.eval()
    with torch.no_grad():
        print(epoch, sum((model(x.cuda()).argmax(1) == y.cuda()).sum().item() for x, y in val_loader))
