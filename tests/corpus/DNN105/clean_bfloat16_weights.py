# bfloat16 weights are a matter of their own: the range is that of float32.
import torch
from torch import nn


def main(loader, steps):
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(512, 8, batch_first=True), 6)
    model = model.to("cuda", dtype=torch.bfloat16)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-4)
    for _, frames in zip(range(steps), loader):
        frames = frames.to("cuda", torch.bfloat16)
        loss = nn.functional.mse_loss(model(frames[:, :-1]), frames[:, 1:])
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
