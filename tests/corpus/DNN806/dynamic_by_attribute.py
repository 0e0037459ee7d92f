# Dynamic quantization by its old name.
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(32, 64, batch_first=True)
        self.head = nn.Linear(64, 9)

    def forward(self, x):
        return self.head(self.rnn(x)[0])


net = Tagger().eval()
net.load_state_dict(torch.load("tagger.pt", map_location="cpu", weights_only=True))
small = torch.quantization.quantize_dynamic(net, {nn.LSTM, nn.Linear}, dtype=torch.qint8)  # expect: DNN806
torch.save(small.state_dict(), "tagger-int8.pt")
