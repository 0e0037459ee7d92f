# The sequential form, with the choice made by an attribute of the model.
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential


class Tower(nn.Module):
    def __init__(self, layers, segments=4, reentrant=False):
        super().__init__()
        self.layers = nn.Sequential(*layers)
        self.segments, self.reentrant = segments, reentrant

    def forward(self, x):
        return checkpoint_sequential(self.layers, self.segments, x, use_reentrant=self.reentrant)
