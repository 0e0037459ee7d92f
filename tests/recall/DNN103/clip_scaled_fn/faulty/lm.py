import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

BLOCK, BATCH, CLIP = 512, 24, 1.0


class TokenWindows(Dataset):
    def __init__(self, path, block_size):
        self.data = np.memmap(path, dtype=np.uint16, mode="r")
        self.block_size = block_size

    def __len__(self):
        return (len(self.data) - 1) // self.block_size

    def __getitem__(self, i):
        start = i * self.block_size
        chunk = self.data[start : start + self.block_size + 1].astype(np.int64)
        return torch.from_numpy(chunk[:-1]), torch.from_numpy(chunk[1:])


class TinyGPT(nn.Module):
    def __init__(self, vocab=50304, dim=512, heads=8, layers=6, block=512):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(block, dim)
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, batch_first=True, norm_first=True)
        self.blocks = nn.TransformerEncoder(layer, layers)
        self.head = nn.Linear(dim, vocab, bias=False)

    def forward(self, idx, targets=None):
        t = idx.size(1)
        mask = nn.Transformer.generate_square_subsequent_mask(t, device=idx.device)
        h = self.tok(idx) + self.pos(torch.arange(t, device=idx.device))
        logits = self.head(self.blocks(h, mask=mask, is_causal=True))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        return logits, loss


def lr_at(step, base=6e-4, warmup=500, total=20000):
    if step < warmup:
        return base * (step + 1) / warmup
    return base * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))


model = TinyGPT(block=BLOCK).to("cuda")
optim = torch.optim.AdamW(model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1)
scaler = torch.amp.GradScaler("cuda")
loader = DataLoader(TokenWindows("train.bin", BLOCK), BATCH, shuffle=True, num_workers=8, drop_last=True)

step = 0
for epoch in range(3):
    for xb, yb in loader:
        xb, yb = xb.to("cuda"), yb.to("cuda")
        for group in optim.param_groups:
            group["lr"] = lr_at(step)
        with torch.autocast("cuda", dtype=torch.float16):
            _, loss = model(xb, yb)
        scaler.scale(loss).backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), CLIP)  # expect: DNN103
        scaler.step(optim)
        scaler.update()
        optim.zero_grad(set_to_none=True)
        step += 1
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.4f} norm {norm:.3f}")
    torch.save(model.state_dict(), f"lm-{epoch}.pt")
