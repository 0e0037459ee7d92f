# The autocast dtype is a module constant, the scaler is always on.
import torch
from torch import nn

AMP_DTYPE = torch.bfloat16
model = nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Flatten(), nn.LazyLinear(10)).cuda()
model(torch.zeros(1, 1, 28, 28, device="cuda"))
opt = torch.optim.SGD(model.parameters(), lr=0.05)
scaler = torch.cuda.amp.GradScaler()  # expect: DNN104

from digits import batches  # noqa: E402

for x, y in batches():
    opt.zero_grad()
    with torch.autocast("cuda", dtype=AMP_DTYPE):
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
