# Module-level loop with a constant window; the full mean loss is accumulated eight times.
import torch
from torch import nn
from torchvision.models import densenet121

from xrays import XrayFolder

ACCUMULATE = 8
loader = torch.utils.data.DataLoader(XrayFolder("train"), batch_size=8, shuffle=True, num_workers=8)
net = densenet121(num_classes=14).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
bce = nn.BCEWithLogitsLoss()

for epoch in range(30):
    opt.zero_grad()
    for i, (image, findings) in enumerate(loader):
        loss = bce(net(image.cuda()), findings.cuda())
        loss.backward()  # expect: DNN201
        if (i + 1) % ACCUMULATE == 0 or i + 1 == len(loader):
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
            opt.zero_grad()
    print(epoch, loss.item())
