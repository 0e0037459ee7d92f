# No layer of this network has a dynamic version.
from torch import nn
from torch.ao.quantization import quantize_dynamic


class Denoiser(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.first = nn.Conv2d(1, width, 3, padding=1)
        self.norm = nn.BatchNorm2d(width)
        self.last = nn.Conv2d(width, 1, 3, padding=1)

    def forward(self, x):
        return x - self.last(self.norm(self.first(x)).relu())


def shrink():
    net = Denoiser().eval()
    return quantize_dynamic(net)  # expect: DNN806
