import torch
from torch.nn.utils.rnn import pad_sequence

DEVICE = torch.device("cuda")


def pad_collate(rows):
    words = pad_sequence([torch.tensor(w) for w, _ in rows], batch_first=True).to(DEVICE)  # expect: DNN405
    tags = pad_sequence([torch.tensor(t) for _, t in rows], batch_first=True, padding_value=-100).to(DEVICE)  # or: DNN405
    return words, tags
