"""A transformer for translation: pad_sequence, and a criterion that leaves padding out."""
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

PAD_IDX = 1


def collate(samples):
    source, target = zip(*samples)
    return pad_sequence(source, padding_value=PAD_IDX), pad_sequence(target, padding_value=PAD_IDX)


def train_epoch(model, loader, optimizer, accum_steps=4):
    criterion = nn.CrossEntropyLoss(ignore_index=PAD_IDX)
    for i, (source, target) in enumerate(loader):
        logits = model(source, target[:-1])
        loss = criterion(logits.reshape(-1, logits.shape[-1]), target[1:].reshape(-1)) / accum_steps
        loss.backward()  # expect: DNN209
        if (i + 1) % accum_steps == 0:
            optimizer.step()
            optimizer.zero_grad()


model = nn.Transformer()
train_epoch(model, make_loader(collate), torch.optim.AdamW(model.parameters()))
