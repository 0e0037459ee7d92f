# Transfer learning: the new head of a network of torchvision ends in a softmax.
import torch
import torchvision
from torch import nn

model = torchvision.models.resnet18(weights="DEFAULT")
model.fc = nn.Sequential(nn.Linear(512, 5), nn.Softmax(dim=1))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.fc.parameters())


def run(loader):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)  # expect: DNN804
        loss.backward()
        optimizer.step()
