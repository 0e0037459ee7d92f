# torchmetrics keeps counts, not graphs.
import torch
from torchmetrics import MeanMetric
from torchmetrics.classification import MulticlassAccuracy


def train_epoch(model, loader, opt):
    accuracy = MulticlassAccuracy(num_classes=10)
    mean_loss = MeanMetric()
    for x, y in loader:
        out = model(x)
        loss = torch.nn.functional.cross_entropy(out, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        accuracy.update(out, y)
        mean_loss.update(loss.detach())
    return accuracy.compute().item(), mean_loss.compute().item()


def main(model, loader):
    opt = torch.optim.Adam(model.parameters())
    print(train_epoch(model, loader, opt))
