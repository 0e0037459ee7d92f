# bfloat16 has the exponent range of float32: no scaler is needed.
import torch
from torchvision.models import convnext_tiny

from flowers import train_loader

model = convnext_tiny(num_classes=102).to("cuda", memory_format=torch.channels_last)
optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=0.05)

for epoch in range(20):
    for x, y in train_loader:
        x = x.to("cuda", memory_format=torch.channels_last)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            loss = torch.nn.functional.cross_entropy(model(x), y.to("cuda"))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
