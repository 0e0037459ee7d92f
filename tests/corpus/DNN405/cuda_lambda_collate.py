# A lambda as collate function, workers by an option.
import argparse

import torch
from torch.utils.data import DataLoader, default_collate

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=8)
args = parser.parse_args()

from notes import Net, NoteSet  # noqa: E402

to_gpu = lambda samples: [t.cuda() for t in default_collate(samples)]  # expect: DNN405
loader = DataLoader(NoteSet("train"), 32, shuffle=True, num_workers=args.workers, collate_fn=to_gpu)
net = Net().cuda()
opt = torch.optim.Adam(net.parameters())
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x), y).backward()
    opt.step()
