# Function per epoch; the window comes from argparse through a parameter.
import argparse

import torch
from torch import nn


def train_one_epoch(model, loader, optimizer, accum_steps, device):
    model.train()
    optimizer.zero_grad()
    for step, batch in enumerate(loader):
        tokens = batch["input_ids"].to(device)
        labels = batch["labels"].to(device)
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits, labels)
        loss.backward()  # expect: DNN201
        if (step + 1) % accum_steps == 0 or (step + 1) == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gradient-accumulation-steps", type=int, default=4)
    parser.add_argument("--lr", type=float, default=0.02)
    args = parser.parse_args()
    from topics import TopicNet, loader

    device = torch.device("cuda")
    model = TopicNet().to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for _ in range(6):
        train_one_epoch(model, loader(), optimizer, args.gradient_accumulation_steps, device)


if __name__ == "__main__":
    main()
