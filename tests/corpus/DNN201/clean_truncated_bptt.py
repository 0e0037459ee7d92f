# Truncated back-propagation: every chunk has its own step; the hidden state is detached.
import torch
from torch import nn


def train(rnn, head, sequence, bptt=35):
    params = list(rnn.parameters()) + list(head.parameters())
    opt = torch.optim.SGD(params, lr=20.0)
    hidden = None
    for start in range(0, len(sequence) - 1, bptt):
        x = sequence[start : start + bptt]
        y = sequence[start + 1 : start + 1 + bptt]
        opt.zero_grad()
        out, hidden = rnn(x[: len(y)], hidden)
        hidden = tuple(h.detach() for h in hidden)
        loss = nn.functional.cross_entropy(head(out).flatten(0, 1), y.flatten())
        loss.backward()
        nn.utils.clip_grad_norm_(params, 0.25)
        opt.step()
