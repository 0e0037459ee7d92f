# The option offers float32 and bfloat16 only.
import argparse
from contextlib import nullcontext

import torch

from tiny import TinyLM, stream

parser = argparse.ArgumentParser()
parser.add_argument("--precision", choices=("fp32", "bf16"), default="bf16")
args = parser.parse_args()

ctx = nullcontext() if args.precision == "fp32" else torch.autocast("cuda", dtype=torch.bfloat16)
model = TinyLM().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4)
for step, (x, y) in enumerate(stream()):
    with ctx:
        loss = model(x.cuda(), y.cuda())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
