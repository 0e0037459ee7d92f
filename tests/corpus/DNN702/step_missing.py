# The step that the loop continues from is not saved.
import itertools
import os

import torch

from fields import FieldNet, stream

CKPT = "state.pt"
net = FieldNet()
opt = torch.optim.AdamW(net.parameters(), lr=3e-4)
if os.path.isfile(CKPT):
    saved = torch.load(CKPT, map_location="cpu", weights_only=True)
    net.load_state_dict(saved["net"])
    opt.load_state_dict(saved["opt"])
batches = stream()
for step in itertools.count():
    loss = net(next(batches))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 1000 == 0:
        torch.save({"net": net.state_dict(), "opt": opt.state_dict()}, CKPT)  # expect: DNN702
    if step == 100_000:
        break
