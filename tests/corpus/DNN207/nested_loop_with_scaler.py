# Nested micro loop with a scaler.
import os

import torch
from torch.distributed import destroy_process_group, init_process_group
from torch.nn.parallel import DistributedDataParallel as DDP

init_process_group("nccl")
device = f"cuda:{os.environ['LOCAL_RANK']}"
torch.cuda.set_device(device)
micro_batches = 5

from books import LM, sample  # noqa: E402

model = DDP(LM().to(device), device_ids=[int(os.environ["LOCAL_RANK"])])
opt = torch.optim.AdamW(model.parameters(), lr=6e-4)
scaler = torch.amp.GradScaler("cuda")
for it in range(100_000):
    for micro in range(micro_batches):
        with torch.autocast("cuda", dtype=torch.float16):
            loss = model(sample(device)) / micro_batches
        scaler.scale(loss).backward()  # expect: DNN207
    scaler.step(opt)
    scaler.update()
    opt.zero_grad(set_to_none=True)
destroy_process_group()
