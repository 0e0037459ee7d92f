# A literal in a module-level script.
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

train_set = datasets.CIFAR100("data", train=True, download=True, transform=transforms.ToTensor())
train_loader = DataLoader(train_set, batch_size=128, shuffle=True, num_workers=2, pin_memory=True)  # expect: DNN401

net = nn.Sequential(nn.Flatten(), nn.Linear(3072, 100)).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(20):
    for x, y in train_loader:
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x.cuda()), y.cuda())
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
