# What is loaded are tensors of a data set.
import torch
from torch.utils.data import DataLoader, TensorDataset

images, labels = torch.load("train_tensors.pt", weights_only=True)
loader = DataLoader(TensorDataset(images, labels), batch_size=128, shuffle=True, num_workers=8, pin_memory=True)
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.LazyLinear(10)).cuda()
net(images[:2].cuda())
opt = torch.optim.Adam(net.parameters())
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()).backward()
    opt.step()
