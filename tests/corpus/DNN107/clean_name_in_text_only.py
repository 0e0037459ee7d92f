# The old name stands in a comment and in a string.
import argparse

import torch

# torch.cuda.amp.autocast() was used here until torch 2.4
parser = argparse.ArgumentParser(description="was: torch.cuda.amp.GradScaler")
parser.add_argument("--amp", action="store_true", help="like torch.cuda.amp.autocast()")
amp = parser.parse_args().amp

model = torch.nn.Linear(9, 9).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=amp):
        loss = model(torch.randn(4, 9, device="cuda")).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
