# The frozen encoder is float16; the trained head is float32.
import torch
from torch import nn

from towers import VisionTower

tower = VisionTower.pretrained("large").cuda().half().eval()
for p in tower.parameters():
    p.requires_grad = False
head = nn.Sequential(nn.LayerNorm(1024), nn.Linear(1024, 365)).cuda()
optimizer = torch.optim.AdamW(head.parameters(), lr=1e-3)

from scenes import train_loader  # noqa: E402

for image, place in train_loader:
    with torch.no_grad():
        features = tower(image.cuda().half()).float()
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(head(features), place.cuda())
    loss.backward()
    nn.utils.clip_grad_norm_(head.parameters(), 1.0)
    optimizer.step()
