# FSDP2 has set_requires_gradient_sync.
import torch
from torch.distributed import init_process_group
from torch.distributed.fsdp import fully_shard

init_process_group("nccl")

from web import LM, stream  # noqa: E402

model = LM().cuda()
for block in model.blocks:
    fully_shard(block)
fully_shard(model)
opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
for i, ids in enumerate(stream()):
    ends = (i + 1) % 8 == 0
    model.set_requires_gradient_sync(ends)
    (model(ids.cuda()) / 8).backward()
    if ends:
        opt.step()
        opt.zero_grad()
