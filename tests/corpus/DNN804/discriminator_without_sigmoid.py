# A GAN whose discriminator ends in a linear layer, with BCELoss.
import torch
from torch import nn

netG = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 784), nn.Tanh())
netD = nn.Sequential(nn.Linear(784, 256), nn.LeakyReLU(0.2), nn.Linear(256, 1))
adversarial = nn.BCELoss()
optG = torch.optim.Adam(netG.parameters(), lr=2e-4)


def generator_step(noise, valid):
    optG.zero_grad()
    g_loss = adversarial(netD(netG(noise)), valid)  # expect: DNN804
    g_loss.backward()
    optG.step()
