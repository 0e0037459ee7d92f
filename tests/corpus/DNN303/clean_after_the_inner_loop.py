# After the inner loop.
import torch


def train(model, stream, updates, micro):
    opt = torch.optim.AdamW(model.parameters())
    for _ in range(updates):
        for _ in range(micro):
            (model(next(stream)) / micro).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
