# The attribute of DDP is assigned instead of the context manager.
import os

import torch
from torch.distributed import init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

init_process_group("nccl")
local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
accum = 40

from web import LM, batch  # noqa: E402

model = DDP(LM().cuda(), device_ids=[local_rank])
opt = torch.optim.AdamW(model.parameters(), lr=6e-4)
for it in range(600_000):
    for micro in range(accum):
        model.require_backward_grad_sync = micro == accum - 1
        (model(batch()) / accum).backward()
    opt.step()
    opt.zero_grad(set_to_none=True)
