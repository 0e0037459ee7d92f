import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from conv_backbone import ConvBackbone

tf = transforms.Compose([transforms.RandomCrop(32, padding=4), transforms.ToTensor()])
loader = DataLoader(datasets.CIFAR100("data", download=True, transform=tf), 128, shuffle=True, num_workers=8)
model = ConvBackbone(100).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(30):
    for x, y in loader:
        opt.zero_grad()
        loss = F.cross_entropy(model(x.cuda()), y.cuda())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        opt.step()
    print(epoch, loss.item())
torch.save(model.state_dict(), "conv.pt")
