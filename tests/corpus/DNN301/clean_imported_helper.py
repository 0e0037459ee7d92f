# The clipping helper comes from another file.
import torch

from utils.utils import AvgMeter, clip_gradient
from lib.polyp import Net, loader

model = Net().cuda()
optimizer = torch.optim.Adam(model.parameters(), 1e-4)
meter = AvgMeter()
for epoch in range(100):
    for image, mask in loader():
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(model(image.cuda()), mask.cuda())
        loss.backward()
        clip_gradient(optimizer, 0.5)
        optimizer.step()
        meter.update(loss.item(), len(image))
