import torch
from torch.nn.utils.rnn import pad_sequence

PAD, IGNORE = 0, -100


def pad_collate(rows):
    words = pad_sequence([torch.tensor(w) for w, _ in rows], batch_first=True, padding_value=PAD)
    tags = pad_sequence([torch.tensor(t) for _, t in rows], batch_first=True, padding_value=IGNORE)
    return words, tags
