# The norm of scaled gradients is clipped to 1: nearly nothing of the gradient is left.
import torch
from torch import nn


def train_epoch(model, loader, optimizer, scaler):
    model.train()
    for wave, label in loader:
        optimizer.zero_grad()
        with torch.autocast("cuda", dtype=torch.float16):
            loss = nn.functional.cross_entropy(model(wave.cuda()), label.cuda())
        scaler.scale(loss).backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)  # expect: DNN103
        scaler.step(optimizer)
        scaler.update()


def main():
    from birdsong import Classifier, clips

    model = Classifier(bins=128).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    scaler = torch.amp.GradScaler("cuda")
    for _ in range(40):
        train_epoch(model, clips("train"), optimizer, scaler)


if __name__ == "__main__":
    main()
