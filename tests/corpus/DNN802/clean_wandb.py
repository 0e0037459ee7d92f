# The tracker records the GPU.
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
import wandb

batches = DataLoader(
    datasets.MNIST("data", train=True, transform=transforms.ToTensor()), batch_size=64, shuffle=True, num_workers=8
)
net = nn.Sequential(nn.Flatten(), nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)).cuda()
optimizer = torch.optim.AdamW(net.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
wandb.init()
for epoch in range(10):
    for step, (images, labels) in enumerate(batches):
        optimizer.zero_grad()
        output = net(images.cuda())
        loss = criterion(output, labels.cuda())
        loss.backward()
        optimizer.step()
        wandb.log({"loss": loss.item()})
