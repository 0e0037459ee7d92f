# A block of another file may have linear layers.
from torch import nn
from torch.ao.quantization import quantize_dynamic
from vision.blocks import Attention


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.attention = Attention(8)

    def forward(self, x):
        return self.attention(self.conv(x))


small = quantize_dynamic(Net().eval())
