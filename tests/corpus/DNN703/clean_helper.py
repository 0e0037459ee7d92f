# A function of another file brings the state back.
import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
from shop.saving import resume
from shop.data import Reviews


class Classifier(nn.Module):
    def __init__(self, vocabulary, width):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocabulary, width)
        self.head = nn.Linear(width, 2)

    def forward(self, tokens):
        return self.head(self.embed(tokens))


def train_epoch(net, optimizer, batches, args):
    net.train()
    total = 0.0
    for step, (images, labels) in enumerate(batches):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(images), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()

    return total / len(batches)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=1e-3)
    args = parser.parse_args()
    net = Classifier(30_000, 64)
    optimizer = torch.optim.SGD(net.parameters(), lr=args.lr)
    batches = DataLoader(Reviews("train"), batch_size=32, shuffle=True, num_workers=8)
    resume(net, optimizer)
    for epoch in range(args.epochs):
        mean = train_epoch(net, optimizer, batches, args)
        state = {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}
        torch.save(state, "last.pt")


if __name__ == "__main__":
    main()
