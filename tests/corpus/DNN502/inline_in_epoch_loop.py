# Validation inside the epoch loop of a script.
import torch
from torch import nn

from bells import BellNet, loaders

train_loader, val_loader = loaders()
net = BellNet().cuda()
opt = torch.optim.AdamW(net.parameters(), lr=1e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(15):
    net.train()
    for x, y in train_loader:
        opt.zero_grad()
        criterion(net(x.cuda()), y.cuda()).backward()
        opt.step()
    net.eval()
    val_loss = 0.0
    for x, y in val_loader:
        val_loss += criterion(net(x.cuda()), y.cuda()).item()  # expect: DNN502
    print(epoch, val_loss / len(val_loader))
