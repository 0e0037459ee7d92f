from torch import nn


class Backbone(nn.Module):
    def encode(self, x):
        raise NotImplementedError

    def forward(self, x):
        return self.head(self.encode(x).float())
