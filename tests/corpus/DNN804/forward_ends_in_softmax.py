# The textbook fault: forward returns probabilities, the criterion applies log_softmax.
import torch
import torch.nn as nn
import torch.nn.functional as F


class DigitNet(nn.Module):
    def __init__(self, classes=10):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 3)
        self.out = nn.Linear(16 * 26 * 26, classes)

    def forward(self, x):
        x = F.relu(self.conv(x))
        x = self.out(torch.flatten(x, 1))
        return F.softmax(x, dim=1)


def train(model, loader, criterion, optimizer, device):
    model.train()
    for images, labels in loader:
        images, labels = images.to(device), labels.to(device)
        optimizer.zero_grad()
        outputs = model(images)
        loss = criterion(outputs, labels)  # expect: DNN804
        loss.backward()
        optimizer.step()


def main(loader):
    device = torch.device("cuda")
    model = DigitNet().to(device)
    train(model, loader, nn.CrossEntropyLoss(), torch.optim.SGD(model.parameters(), lr=0.1), device)
