# A clip helper is there, and it is called with None.
import torch
from torch import nn


def maybe_clip(parameters, max_norm):
    if max_norm is None:
        return
    nn.utils.clip_grad_norm_(parameters, max_norm)


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=1.0)
    for tokens, tags in loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(model(tokens).flatten(0, 1), tags.flatten())
        loss.backward()
        maybe_clip(model.parameters(), None)
        opt.step()  # expect: DNN301


if __name__ == "__main__":
    from tagging import BiLSTM, loader

    train(BiLSTM(), loader())
