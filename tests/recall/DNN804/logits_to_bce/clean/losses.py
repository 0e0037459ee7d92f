from torch import nn


class WeightedLoss(nn.Module):
    def __init__(self, smooth=0.05):
        super().__init__()
        self.smooth = smooth
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, outputs, target):
        target = target * (1 - self.smooth) + 0.5 * self.smooth
        return self.bce(outputs, target)
