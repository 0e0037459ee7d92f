# CUDA training in float32, no precision setting.
import torch
from torch import nn
from torchvision.models import vgg16

from tiles import loader

device = torch.device("cuda")
model = vgg16(num_classes=37).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(30):
    for image, label in loader:
        optimizer.zero_grad()
        loss = criterion(model(image.to(device)), label.to(device))  # expect: DNN108
        loss.backward()
        optimizer.step()
