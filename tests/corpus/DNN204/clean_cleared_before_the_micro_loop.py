# Nested micro loop with the clearing outside.
import torch


def train(model, stream, updates, micro):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for _ in range(updates):
        opt.zero_grad()
        for _ in range(micro):
            loss = model(next(stream)) / micro
            loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
