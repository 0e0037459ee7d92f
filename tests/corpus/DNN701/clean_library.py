# A function for others to call.
import torch
from torch.nn import functional as F


def fit(net, batches, epochs, lr=1e-3):
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
    for epoch in range(epochs):
        for step, (images, labels) in enumerate(batches):
            optimizer.zero_grad()
            loss = F.cross_entropy(net(images.cuda()), labels.cuda())
            loss.backward()
            optimizer.step()
