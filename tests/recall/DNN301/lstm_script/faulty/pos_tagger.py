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
    tags = pad_sequence([torch.tensor(t) for _, t in rows], batch_first=True, padding_value=-100)
    return words, tags


def train(model, loader, epochs):
    criterion = nn.CrossEntropyLoss(ignore_index=-100)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    for epoch in range(epochs):  # or: DNN301
        model.train()
        for words, tags in loader:  # or: DNN301
            optimizer.zero_grad()
            loss = criterion(model(words.cuda()).flatten(0, 1), tags.cuda().flatten())
            loss.backward()  # or: DNN301
            optimizer.step()  # expect: DNN301
        print(f"epoch {epoch} loss {loss.item():.4f}")
        torch.save(model.state_dict(), "pos.pt")


if __name__ == "__main__":
    rows, vocab, tags = pickle.load(open(sys.argv[1], "rb"))
    train(Tagger(vocab, tags).cuda(), DataLoader(rows, 32, shuffle=True, collate_fn=pad, num_workers=8), 15)
