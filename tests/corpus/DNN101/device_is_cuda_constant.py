# autocast gets a device variable that is CUDA and no dtype.
import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.l = nn.Linear(768, 2)

    def forward(self, x):
        return self.l(x)


def run(features, labels, epochs):
    head = Head().to(torch.device("cuda"))
    opt = torch.optim.Adam(head.parameters())
    dev = torch.device("cuda:0")
    for e in range(epochs):
        for f, y in zip(features.split(256), labels.split(256)):
            with torch.autocast(device_type=dev.type):
                loss = nn.functional.cross_entropy(head(f.to(dev)), y.to(dev))
            opt.zero_grad()
            loss.backward()  # expect: DNN101
            nn.utils.clip_grad_norm_(head.parameters(), 1.0)
            opt.step()
