# float16 is used for the evaluation only; training runs in float32.
import torch
from torch import nn


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hits = total = 0
    with torch.autocast("cuda", dtype=torch.float16):
        for x, y in loader:
            hits += (model(x.cuda()).argmax(-1).cpu() == y).sum().item()
            total += len(y)
    return hits / total


def fit(model, train_loader, test_loader, epochs):
    model.cuda()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(epochs):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(epoch, accuracy(model, test_loader))
