from torch import nn
from torch.quantization import DeQuantStub, QuantStub  # expect: DNN806


class QuantCNN(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.quant, self.dequant = QuantStub(), DeQuantStub()
        self.body = nn.Sequential(nn.Conv2d(3, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        return self.dequant(self.fc(self.body(self.quant(x)).flatten(1)))
