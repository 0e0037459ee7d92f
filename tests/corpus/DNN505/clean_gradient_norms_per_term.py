# The gradients of each term are measured before the sum is differentiated.
import torch


def train(net, pde, boundary, points):
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for x in points:
        residual, edge = pde(net, x), boundary(net)
        opt.zero_grad()
        residual.backward(retain_graph=True)
        size = sum(p.grad.norm() for p in net.parameters()).item()
        opt.zero_grad()
        edge.backward(retain_graph=True)
        weight = size / sum(p.grad.norm() for p in net.parameters()).item()
        opt.zero_grad()
        (residual + weight * edge).backward()
        opt.step()
