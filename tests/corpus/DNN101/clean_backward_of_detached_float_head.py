# The float16 region has no gradient: features of a frozen tower; the head is trained in float32 outside.
import torch
from torch import nn


def probe(tower, loader, classes):
    tower.cuda().eval()
    head = nn.Linear(1024, classes).cuda()
    opt = torch.optim.SGD(head.parameters(), lr=0.1)
    for image, label in loader:
        with torch.inference_mode():
            with torch.autocast("cuda", dtype=torch.float16):
                z = tower(image.cuda())
        z = z.clone().float()
        loss = nn.functional.cross_entropy(head(z), label.cuda())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        opt.step()
