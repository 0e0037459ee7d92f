import torch
from torch.nn.utils.rnn import pad_sequence


def train(model, loader, pad=0):
    criterion = torch.nn.CrossEntropyLoss(ignore_index=pad)
    optimizer = torch.optim.AdamW(model.parameters())
    for tokens, labels in loader:
        optimizer.zero_grad()
        criterion(model(pad_sequence(tokens)).flatten(0, 1), labels.flatten()).backward()
        optimizer.step()
