# Inside the inner loop.
import torch


def pretrain(model, stream, updates, micro=16):
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for _ in range(updates):
        opt.zero_grad()
        for _ in range(micro):
            loss = model(next(stream)) / micro
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)  # expect: DNN303
        opt.step()
