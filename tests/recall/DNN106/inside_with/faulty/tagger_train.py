import argparse
import pickle

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


def collate(batch):
    tokens = pad_sequence([torch.tensor(b[0]) for b in batch], batch_first=True)
    tags = pad_sequence([torch.tensor(b[1]) for b in batch], batch_first=True, padding_value=-100)
    return tokens, tags


def run(args):
    with open(args.corpus, "rb") as fh:
        corpus = pickle.load(fh)
    model = Tagger(corpus["vocab_size"], corpus["num_tags"]).cuda()
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    lossf = nn.CrossEntropyLoss(ignore_index=-100)
    loader = DataLoader(corpus["train"], 64, shuffle=True, collate_fn=collate, num_workers=8)
    for epoch in range(args.epochs):
        model.train()
        for tokens, tags in loader:
            opt.zero_grad()
            with torch.autocast(device_type="cuda", dtype=torch.bfloat16):  # or: DNN106
                scores = model(tokens.cuda())
                loss = lossf(scores.flatten(0, 1), tags.cuda().flatten())
                loss.backward()  # expect: DNN106
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                opt.step()
        print(f"epoch {epoch + 1}/{args.epochs}  loss {loss.item():.3f}")
    torch.save(model.state_dict(), "tagger.pt")


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("corpus")
    ap.add_argument("--epochs", type=int, default=12)
    run(ap.parse_args())
