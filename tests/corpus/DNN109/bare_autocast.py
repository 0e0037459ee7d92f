# torch.autocast() without a device raises TypeError.
import torch
from torch import nn

model = nn.Linear(128, 10).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")
for _ in range(100):
    x, y = torch.randn(32, 128, device="cuda"), torch.randint(0, 10, (32,), device="cuda")
    opt.zero_grad()
    with torch.autocast():  # expect: DNN109
        loss = nn.functional.cross_entropy(model(x), y)
    scaler.scale(loss).backward()
    scaler.step(opt)
    scaler.update()
