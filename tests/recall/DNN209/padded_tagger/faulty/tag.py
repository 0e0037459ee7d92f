import pickle
import sys
from itertools import islice

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


class Tagger(nn.Module):
    def __init__(self, vocab_size, tags, emb=128, hidden=256):
        super().__init__()
        self.emb = nn.Embedding(vocab_size, emb, padding_idx=0)
        self.rnn = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True, num_layers=2, dropout=0.2)
        self.proj = nn.Linear(2 * hidden, tags)

    def forward(self, tokens):
        states, _ = self.rnn(self.emb(tokens))
        return self.proj(states)


def collate(rows):
    words = pad_sequence([torch.tensor(r["words"]) for r in rows], batch_first=True)
    tags = pad_sequence([torch.tensor(r["tags"]) for r in rows], batch_first=True, padding_value=-100)
    return words, tags


def windows(loader, n):
    it = iter(loader)
    while chunk := list(islice(it, n)):
        yield chunk


def main(path, accum=4):
    rows, vocab, tags = pickle.load(open(path, "rb"))
    net = Tagger(vocab, tags).cuda()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    loader = DataLoader(rows, 16, shuffle=True, collate_fn=collate, num_workers=8)
    for epoch in range(10):
        for chunk in windows(loader, accum):
            opt.zero_grad()
            for words, gold in chunk:
                logits = net(words.cuda())
                loss = F.cross_entropy(logits.flatten(0, 1), gold.cuda().flatten(), ignore_index=-100)  # or: DNN209
                (loss / len(chunk)).backward()  # expect: DNN209
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())
    torch.save(net.state_dict(), "tagger.pt")


if __name__ == "__main__":
    main(sys.argv[1])
