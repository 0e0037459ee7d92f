# The model is wrapped in a module-level script.
import torch
from torch import nn
from torchvision.models import resnet101

from cities import loader

model = nn.DataParallel(resnet101(num_classes=80)).cuda()  # expect: DNN601
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(60):
    for x, y in loader():
        opt.zero_grad()
        nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
