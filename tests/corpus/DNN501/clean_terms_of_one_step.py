# Terms are summed within one step that has one backward.
import torch


def train(model, heads, loader):
    opt = torch.optim.AdamW([*model.parameters(), *heads.parameters()])
    for x, targets in loader:
        features = model(x)
        total = 0.0
        parts = []
        for head, target in zip(heads, targets):
            part = torch.nn.functional.cross_entropy(head(features), target)
            total += part
            parts.append(part)
        opt.zero_grad()
        total.backward()
        opt.step()
        print([p.item() for p in parts])
