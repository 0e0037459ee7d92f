# The forces are a second pass over the graph of the energy.
import torch


def train(potential, frames):
    opt = torch.optim.Adam(potential.parameters())
    for positions, energy, forces in frames:
        positions.requires_grad_(True)
        predicted = potential(positions)
        opt.zero_grad()
        energy_loss = (predicted - energy).pow(2).mean()
        energy_loss.backward(retain_graph=True)
        (gradient,) = torch.autograd.grad(predicted.sum(), positions, create_graph=True)
        (gradient + forces).pow(2).mean().backward()
        opt.step()
