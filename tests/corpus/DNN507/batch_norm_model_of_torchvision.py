# A torchvision network with batch norm.
import torch
from torchvision.models import resnet18

from coins import train_loader, val_loader


def validate(model, loader):
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            out = model(x.cuda())  # expect: DNN507
            total += torch.nn.functional.cross_entropy(out, y.cuda()).item()
    return total / len(loader)


model = resnet18(num_classes=3).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(20):
    model.train()
    for x, y in train_loader():
        opt.zero_grad()
        torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
        opt.step()
    print(validate(model, val_loader()))
