# accelerator.backward divides by gradient_accumulation_steps; the script does it as well.
import argparse

import torch
from accelerate import Accelerator

parser = argparse.ArgumentParser()
parser.add_argument("--gradient_accumulation_steps", type=int, default=8)
args = parser.parse_args()

from poems import PoemNet, PoemSet  # noqa: E402

accelerator = Accelerator(gradient_accumulation_steps=args.gradient_accumulation_steps)
model = PoemNet()
optimizer = torch.optim.AdamW(model.parameters(), lr=2e-5)
loader = torch.utils.data.DataLoader(PoemSet(), batch_size=2, shuffle=True, num_workers=8)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
for verse in loader:
    with accelerator.accumulate(model):
        loss = model(verse)
        loss = loss / args.gradient_accumulation_steps
        accelerator.backward(loss)  # expect: DNN202
        optimizer.step()
        optimizer.zero_grad()
