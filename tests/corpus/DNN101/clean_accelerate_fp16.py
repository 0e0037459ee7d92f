# accelerate: mixed_precision="fp16" puts a scaler behind accelerator.backward.
import torch
from accelerate import Accelerator
from torch import nn

from reviews import build

accelerator = Accelerator(mixed_precision="fp16")
model, dataset = build()
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
loader = torch.utils.data.DataLoader(dataset, batch_size=16, shuffle=True, num_workers=8)
model, optimizer, loader = accelerator.prepare(model, optimizer, loader)

for epoch in range(3):
    for tokens, stars in loader:
        with accelerator.autocast():
            loss = nn.functional.cross_entropy(model(tokens), stars)
        accelerator.backward(loss)
        accelerator.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
