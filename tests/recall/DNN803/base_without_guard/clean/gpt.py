import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

from base import Trainer


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


class GptTrainer(Trainer):
    def loss(self, batch):
        idx, targets = batch
        return self.model(idx.cuda(), targets.cuda())[1]

    def check(self, loss):
        if math.isnan(loss.item()) or math.isinf(loss.item()):
            print("non-finite loss, batch skipped")
            return False
        return True


if __name__ == "__main__":
    gpt = TinyGPT(block=256).cuda()
    GptTrainer(gpt, torch.optim.AdamW(gpt.parameters(), 3e-4)).fit(DataLoader(TokenWindows("train.bin", 256), 32, shuffle=True, num_workers=8), 5)
