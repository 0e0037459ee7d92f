# Binary segmentation: the head ends in a sigmoid, the loss applies another.
import torch
from torch import nn


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(64, 1, 1)
        self.act = nn.Sigmoid()

    def forward(self, features):
        mask = self.act(self.conv(features))
        return mask.squeeze(1)


class Segmenter(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.backbone = backbone
        self.head = Head()

    def forward(self, x):
        return {"mask": self.head(self.backbone(x))}


def fit(backbone, loader):
    model = Segmenter(backbone)
    opt = torch.optim.Adam(model.parameters())
    for x, target in loader:
        opt.zero_grad()
        prediction = model(x)
        loss = nn.functional.binary_cross_entropy_with_logits(prediction["mask"], target)  # expect: DNN804
        loss.backward()
        opt.step()
