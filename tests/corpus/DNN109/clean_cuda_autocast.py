# The old CUDA class needs no device.
import torch
from torch.cuda.amp import GradScaler, autocast

model = torch.nn.Linear(4, 4).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = GradScaler()
for _ in range(10):
    with autocast():
        loss = model(torch.randn(2, 4, device="cuda")).sum()
    opt.zero_grad()
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
