# The keyword dictionary has no shuffle.
import torch
from torch.utils.data import DataLoader

from eggs import EggNet, EggSet

params = {"batch_size": 64, "num_workers": 8, "drop_last": True}


def fit(epochs):
    loader = DataLoader(EggSet("train"), **params)  # expect: DNN404
    net = EggNet()
    opt = torch.optim.AdamW(net.parameters())
    for _ in range(epochs):
        for x, y in loader:
            loss = net.loss(x, y)
            opt.zero_grad()
            loss.backward()
            opt.step()


fit(20)
