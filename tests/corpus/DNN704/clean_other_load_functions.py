# load() of other libraries.
import json
import pickle

import numpy as np
import torch
from safetensors.torch import load_file

from coasts import CoastNet, loader

table = np.load("table.npy")
with open("vocab.json") as f:
    vocab = json.load(f)
with open("split.pkl", "rb") as f:
    split = pickle.load(f)
net = CoastNet(len(vocab)).cuda()
net.load_state_dict(load_file("net.safetensors"))
opt = torch.optim.Adam(net.parameters())
for x in loader(split, table):
    opt.zero_grad()
    net(x.cuda()).mean().backward()
    opt.step()
