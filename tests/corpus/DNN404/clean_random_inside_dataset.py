# The dataset draws a random crop of the corpus and ignores the index.
import torch
from torch.utils.data import DataLoader, Dataset


class RandomCrops(Dataset):
    def __init__(self, tokens, length, size):
        self.tokens, self.length, self.size = tokens, length, size

    def __len__(self):
        return self.size

    def __getitem__(self, _):
        start = torch.randint(len(self.tokens) - self.length - 1, (1,)).item()
        piece = self.tokens[start : start + self.length + 1]
        return piece[:-1], piece[1:]


def train(model, tokens):
    loader = DataLoader(RandomCrops(tokens, 256, 10_000), batch_size=32, num_workers=8)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-4)
    for x, y in loader:
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x).flatten(0, 1), y.flatten()).backward()
        opt.step()
