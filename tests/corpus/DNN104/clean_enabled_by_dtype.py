# enabled= depends on the dtype that the command line chooses.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--dtype", default="bfloat16", choices=["bfloat16", "float16"])
args = parser.parse_args()

ptdtype = {"bfloat16": torch.bfloat16, "float16": torch.float16}[args.dtype]
scaler = torch.amp.GradScaler("cuda", enabled=(args.dtype == "float16"))

from story import LM, pages  # noqa: E402

model = LM().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=6e-4)
for ids in pages():
    with torch.autocast("cuda", dtype=ptdtype):
        loss = model(ids.cuda())
    scaler.scale(loss).backward()
    scaler.unscale_(optimizer)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    scaler.step(optimizer)
    scaler.update()
    optimizer.zero_grad(set_to_none=True)
