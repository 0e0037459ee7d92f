import pickle
import sys

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from collate import pad_collate
from nets import Tagger


def main(path):
    rows, vocab, tags = pickle.load(open(path, "rb"))
    net = Tagger(vocab, tags).to("cuda")
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    loader = DataLoader(rows, 32, shuffle=True, collate_fn=pad_collate, num_workers=8)  # or: DNN405
    for epoch in range(10):
        for words, gold in loader:
            opt.zero_grad()
            loss = F.cross_entropy(net(words).flatten(0, 1), gold.flatten(), ignore_index=-100)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "tagger.pt")


if __name__ == "__main__":
    main(sys.argv[1])
