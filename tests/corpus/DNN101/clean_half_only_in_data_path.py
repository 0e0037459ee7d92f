# float16 is the storage type of the features; there is no autocast.
import torch
from torch import nn

features = torch.load("features.pt", map_location="cpu", weights_only=True).to(torch.float16)
labels = torch.load("labels.pt", map_location="cpu", weights_only=True)
head = nn.Linear(features.shape[1], 100).cuda()
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for epoch in range(10):
    for i in torch.randperm(len(features)).split(512):
        loss = nn.functional.cross_entropy(head(features[i].cuda().float()), labels[i].cuda())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(head.parameters(), 1.0)
        opt.step()
