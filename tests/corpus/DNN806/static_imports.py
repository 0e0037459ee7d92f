# Static quantization; the functions come from the old package.
from torch import nn
from torch.quantization import DeQuantStub, QuantStub, convert, get_default_qconfig, prepare  # expect: DNN806


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.leave = QuantStub(), DeQuantStub()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return self.leave(self.conv(self.enter(x)))


def quantize(batches):
    net = Block().eval()
    net.qconfig = get_default_qconfig("x86")
    prepared = prepare(net)
    for batch in batches:
        prepared(batch)
    return convert(prepared)
