# No step in this file: the epoch function is imported.
import torch

from engine import evaluate, train_one_epoch
from nets import build


def main(epochs=300):
    model = build("small").cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, epochs)
    for epoch in range(epochs):
        train_one_epoch(model, optimizer, epoch)
        scheduler.step()
        evaluate(model)


main()
