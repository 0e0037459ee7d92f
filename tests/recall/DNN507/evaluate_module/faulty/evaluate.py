import torch
from torch import nn


@torch.inference_mode()
def evaluate(net, loader):  # or: DNN507
    criterion = nn.BCEWithLogitsLoss(reduction="sum")
    loss, correct, count = 0.0, 0, 0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        logits = net(x)  # expect: DNN507
        loss += criterion(logits, y).item()
        correct += ((logits > 0).float() == y).sum().item()
        count += len(y)
    return loss / count, correct / count
