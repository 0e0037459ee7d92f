import pickle
import sys

import torch
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


def pad(rows):
    words = pad_sequence([torch.tensor(w) for w, _ in rows], batch_first=True)
    return words, pad_sequence([torch.tensor(t) for _, t in rows], batch_first=True, padding_value=-100)


def train(net, loader, epochs=5):
    opt = torch.optim.Adam(net.parameters(), 1e-3)
    for epoch in range(epochs):
        net.train()
        for words, tags in loader:
            opt.zero_grad()
            loss = nn.functional.cross_entropy(net(words.cuda()).flatten(0, 1), tags.cuda().flatten(), ignore_index=-100)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            opt.step()
        print(epoch, loss.item())


if __name__ == "__main__":
    rows, vocab, n_tags = pickle.load(open(sys.argv[1], "rb"))
    tagger = Tagger(vocab, n_tags).cuda()
    train(tagger, DataLoader(rows, 64, shuffle=True, collate_fn=pad, num_workers=8))
    small = torch.ao.quantization.quantize_dynamic(tagger.cpu().eval(), {nn.LSTM, nn.Linear}, dtype=torch.qint8)
    torch.save(small.state_dict(), "tagger_int8.pt")
