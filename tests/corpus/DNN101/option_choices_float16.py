# Run-time option: bfloat16 is the default, but float16 may be chosen and has no scaler.
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", choices=["float32", "bfloat16", "float16"], default="bfloat16")
parser.add_argument("--steps", type=int, default=2000)
parser.add_argument("--lr", type=float, default=3e-4)
args = parser.parse_args()

PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
amp_ctx = torch.autocast(device_type="cuda", dtype=PRECISIONS[args.dtype])

lm = nn.Sequential(nn.Embedding(5000, 256), nn.Linear(256, 256), nn.GELU(), nn.Linear(256, 5000)).cuda()
optimizer = torch.optim.AdamW(lm.parameters(), lr=args.lr, betas=(0.9, 0.95))

for step in range(args.steps):
    ids = torch.randint(0, 5000, (16, 129), device="cuda")
    with amp_ctx:
        scores = lm(ids[:, :-1])
        loss = nn.functional.cross_entropy(scores.reshape(-1, 5000), ids[:, 1:].reshape(-1))
    loss.backward()  # expect: DNN101
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    if step % 100 == 0:
        print(step, loss.item())
