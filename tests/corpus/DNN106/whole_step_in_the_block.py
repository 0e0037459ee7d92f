# The autocast block reaches to the step.
import torch
from torch import nn

model = nn.Sequential(nn.Linear(256, 1024), nn.ReLU(), nn.Linear(1024, 256)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)

from embeddings import pairs  # noqa: E402

for a, b in pairs():
    optimizer.zero_grad()
    with torch.autocast(device_type="cuda", dtype=torch.bfloat16):
        out = model(a.cuda())
        loss = 1 - nn.functional.cosine_similarity(out, b.cuda()).mean()
        loss.backward()  # expect: DNN106
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
