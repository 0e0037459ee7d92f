# NLLLoss takes logarithms of probabilities; the network returns logits.
import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self, words, tags):
        super().__init__()
        self.embed = nn.Embedding(words, 64)
        self.rnn = nn.LSTM(64, 64, batch_first=True)
        self.out = nn.Linear(64, tags)

    def forward(self, x):
        hidden, _ = self.rnn(self.embed(x))
        return self.out(hidden)


model = Tagger(5000, 12)
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for words, tags in torch.load("batches.pt", weights_only=True):
    optimizer.zero_grad()
    scores = model(words).view(-1, 12)
    loss = criterion(scores, tags.view(-1))  # expect: DNN804
    loss.backward()
    optimizer.step()
