# The frozen backbone is put to eval() in every epoch on purpose; the head is never switched.
import torch


def fit(backbone, head, loader, epochs):
    backbone.requires_grad_(False)
    opt = torch.optim.Adam(head.parameters())
    head.train()
    for _ in range(epochs):
        backbone.eval()
        for x, y in loader:
            with torch.no_grad():
                features = backbone(x)
            opt.zero_grad()
            torch.nn.functional.cross_entropy(head(features), y).backward()
            opt.step()
