# The head is quantized.
from torch import nn
from torch.ao.quantization import quantize_dynamic


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(8, 10)

    def forward(self, x):
        return self.head(self.body(x))


small = quantize_dynamic(Net().eval())
