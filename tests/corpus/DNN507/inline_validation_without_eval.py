# Validation in the epoch loop of a script, in training mode.
import timm
import torch

from coins import train_loader, val_loader

net = timm.create_model("resnet50", num_classes=2).cuda()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for x, y in train_loader():
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
        opt.step()
    hits = 0
    with torch.no_grad():
        for x, y in val_loader():
            hits += (net(x.cuda()).argmax(1).cpu() == y).sum().item()  # expect: DNN507
    print(epoch, hits)
