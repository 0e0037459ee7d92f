import json
import sys

import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from engine import train_epoch
from nets import TinyGPT


def collate(rows):
    ids = pad_sequence([torch.tensor(r["ids"][:256]) for r in rows], batch_first=True, padding_value=0)
    return ids[:, :-1], ids[:, 1:]


if __name__ == "__main__":
    rows = [json.loads(line) for line in open(sys.argv[1])]
    model = TinyGPT(vocab=32000, block=256).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-4)
    loader = DataLoader(rows, 8, shuffle=True, collate_fn=collate, num_workers=8)
    for epoch in range(3):
        print(epoch, train_epoch(model, loader, opt, accum=8))
        torch.save(model.state_dict(), "lm.pt")
