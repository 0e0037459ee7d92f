# Early continue without a condition for the last batch; the window is an option.
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--accum", default=4, type=int)
parser.add_argument("--epochs", default=5, type=int)
args = parser.parse_args()

from essays import Grader, essays  # noqa: E402

model = Grader()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-5)
for epoch in range(args.epochs):
    optimizer.zero_grad()
    for n, (text, grade) in enumerate(essays(), start=1):
        loss = torch.nn.functional.mse_loss(model(text), grade) / args.accum
        loss.backward()
        if n % args.accum != 0:  # expect: DNN205
            continue
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # or: DNN205
        optimizer.step()
        optimizer.zero_grad()
