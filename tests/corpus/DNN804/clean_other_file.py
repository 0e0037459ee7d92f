# The network and the loss come from other files of the project.
import torch
from losses import SoftTargetLoss
from networks import build

model = build("small")
criterion = SoftTargetLoss()
optimizer = torch.optim.Adam(model.parameters())


def fit(loader):
    for x, y in loader:
        optimizer.zero_grad()
        probs = torch.softmax(model(x), dim=1)
        loss = criterion(probs, y) + torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
