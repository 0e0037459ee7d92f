# The rate of the backbone is a tenth: nothing to do with the window.
import torch

LR = 1e-4
BACKBONE_DIVISOR = 10


def train(net, loader, accum=8):
    opt = torch.optim.AdamW(
        [
            {"params": net.backbone.parameters(), "lr": LR / BACKBONE_DIVISOR},
            {"params": net.head.parameters()},
        ],
        lr=LR,
    )
    for i, (x, y) in enumerate(loader):
        loss = net.loss(x, y) / accum
        loss.backward()
        if (i + 1) % accum == 0:
            torch.nn.utils.clip_grad_norm_(net.parameters(), 0.1)
            opt.step()
            opt.zero_grad()
