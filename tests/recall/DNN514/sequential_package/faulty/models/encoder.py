from torch import nn
from torch.utils.checkpoint import checkpoint_sequential


class DeepEncoder(nn.Module):
    def __init__(self, classes, width=128, depth=16, segments=4):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 3, padding=1)
        self.layers = nn.Sequential(*[
            nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.GroupNorm(8, width), nn.SiLU()) for _ in range(depth)
        ])
        self.segments = segments
        self.head = nn.Linear(width, classes)

    def forward(self, x):
        x = self.stem(x)
        x = checkpoint_sequential(self.layers, self.segments, x)  # expect: DNN514
        return self.head(x.mean((2, 3)))
