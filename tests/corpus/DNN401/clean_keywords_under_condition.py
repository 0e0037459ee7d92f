# The keyword dictionary is filled under a condition.
import torch
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

use_cuda = torch.cuda.is_available()
train_kwargs = {"batch_size": 64, "shuffle": True}
if use_cuda:
    train_kwargs.update({"num_workers": 8, "pin_memory": True})
digits = datasets.MNIST("data", train=True, download=True, transform=transforms.ToTensor())
loader = DataLoader(digits, **train_kwargs)

device = "cuda" if use_cuda else "cpu"
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(784, 10)).to(device)
opt = torch.optim.Adadelta(net.parameters(), lr=1.0)
for x, y in loader:
    opt.zero_grad()
    torch.nn.functional.cross_entropy(net(x.to(device)), y.to(device)).backward()
    opt.step()
