# A condition chooses between two numbers; both are outside the range.
import argparse

import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--debug", action="store_true")
args = parser.parse_args()

from keys import KeyNet, KeySet  # noqa: E402

loader = DataLoader(KeySet(), batch_size=32, shuffle=True, num_workers=0 if args.debug else 4)  # expect: DNN401
net = KeyNet()
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.zero_grad()
    net(x).backward()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
