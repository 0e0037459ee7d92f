# Weights are a result.
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

batches = DataLoader(
    datasets.MNIST("data", train=True, transform=transforms.ToTensor()), batch_size=64, shuffle=True, num_workers=8
)
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(10):
    for step, (images, labels) in enumerate(batches):
        optimizer.zero_grad()
        output = net(images)
        loss = criterion(output, labels)
        loss.backward()
        optimizer.step()

    torch.save({"net": net.state_dict(), "epoch": epoch}, "best.pt")
