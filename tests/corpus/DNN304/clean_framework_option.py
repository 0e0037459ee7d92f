import argparse

from accelerate import Accelerator
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--max_grad_norm", type=float, default=1.0)
args = parser.parse_args()
accelerator = Accelerator()
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters())
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for x in loader:
    accelerator.backward(model(x).mean())
    if accelerator.sync_gradients:
        accelerator.clip_grad_norm_(model.parameters(), args.max_grad_norm)
    optimizer.step()
    optimizer.zero_grad()
