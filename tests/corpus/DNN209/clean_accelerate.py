from accelerate import Accelerator
import torch
from torch.nn.utils.rnn import pad_sequence


def main(model, loader, pad_id=0):
    accelerator = Accelerator(gradient_accumulation_steps=8)
    optimizer = torch.optim.AdamW(model.parameters())
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    criterion = torch.nn.CrossEntropyLoss(ignore_index=pad_id)
    for tokens, labels in loader:
        with accelerator.accumulate(model):
            accelerator.backward(criterion(model(pad_sequence(tokens)), labels))
            optimizer.step()
            optimizer.zero_grad()
