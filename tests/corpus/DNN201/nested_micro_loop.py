# Nested micro-batch loop with next(); zero_grad before, step after.
import torch
from torch import nn

from cells import CellSet, UNet

MICRO_BATCHES = 4
dataset = CellSet("train")
loader = torch.utils.data.DataLoader(dataset, batch_size=2, shuffle=True, num_workers=8)


def forever(source):
    while True:
        yield from source


stream = forever(loader)
unet = UNet(1, 2).cuda()
sgd = torch.optim.SGD(unet.parameters(), lr=1e-2, momentum=0.99)
for iteration in range(40_000):
    sgd.zero_grad()
    for _ in range(MICRO_BATCHES):
        image, mask = next(stream)
        loss = nn.functional.cross_entropy(unet(image.cuda()), mask.cuda())
        loss.backward()  # expect: DNN201
    nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
    sgd.step()
