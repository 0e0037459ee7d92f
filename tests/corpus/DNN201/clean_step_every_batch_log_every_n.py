# The modulo belongs to the log and to the evaluation; the optimizer steps on every batch.
import torch
from torch import nn

LOG_EVERY = 20
EVAL_EVERY = 500


def train(model, loader, evaluate, epochs=2):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(epochs):
        for i, (x, y) in enumerate(loader):
            opt.zero_grad()
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            if (i + 1) % LOG_EVERY == 0:
                print(i, loss.item())
            if (i + 1) % EVAL_EVERY == 0:
                print("accuracy", evaluate(model))
