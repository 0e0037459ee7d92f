# Two losses, no test of either.
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

generator = nn.Sequential(nn.Linear(64, 784), nn.Tanh())
critic = nn.Sequential(nn.Linear(784, 1))
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4)
opt_d = torch.optim.Adam(critic.parameters(), lr=2e-4)
bce = nn.BCEWithLogitsLoss()
digits = DataLoader(datasets.MNIST("data", transform=transforms.ToTensor()), batch_size=64, shuffle=True, num_workers=8)

for epoch in range(50):
    for step, (real, _) in enumerate(digits):
        real = real.flatten(1)
        fake = generator(torch.randn(len(real), 64))
        opt_d.zero_grad()
        d_loss = bce(critic(real), torch.ones(len(real), 1)) + bce(critic(fake.detach()), torch.zeros(len(real), 1))
        d_loss.backward()  # expect: DNN803
        opt_d.step()
        opt_g.zero_grad()
        g_loss = bce(critic(fake), torch.ones(len(real), 1))
        g_loss.backward()
        opt_g.step()

    print(epoch, d_loss.item(), g_loss.item())
