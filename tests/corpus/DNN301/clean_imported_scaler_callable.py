# The imported callable clips and steps.
import torch

from timm.utils import NativeScaler

from bears import Net, loader

model = Net().cuda()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
loss_scaler = NativeScaler()
for x, y in loader():
    with torch.autocast("cuda", dtype=torch.float16):
        loss = torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda())
    optimizer.zero_grad()
    loss_scaler(loss, optimizer, clip_grad=5.0, parameters=model.parameters())
