# A discriminator that ends in a sigmoid, with BCELoss.
import torch
from torch import nn

D = nn.Sequential(nn.Linear(784, 128), nn.LeakyReLU(0.2), nn.Linear(128, 1), nn.Sigmoid())
loss_fn = nn.BCELoss()
opt = torch.optim.Adam(D.parameters())


def step(real, fake, ones, zeros):
    opt.zero_grad()
    loss = loss_fn(D(real), ones) + loss_fn(D(fake.detach()), zeros)
    loss.backward()
    opt.step()
