# Nothing clears between the epochs: the leftover is added to the first window of the next one.
import torch
from torch import nn
from torchvision import datasets, transforms

GRAD_ACCUM = 6
data = datasets.FashionMNIST("data", download=True, transform=transforms.ToTensor())
loader = torch.utils.data.DataLoader(data, batch_size=32, shuffle=True, num_workers=8)
model = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for epoch in range(10):
    for index, (image, label) in enumerate(loader):
        loss = nn.functional.cross_entropy(model(image), label)
        (loss / GRAD_ACCUM).backward()
        if (index + 1) % GRAD_ACCUM == 0:  # expect: DNN205
            optimizer.step()
            optimizer.zero_grad()
    print(epoch, loss.item())
