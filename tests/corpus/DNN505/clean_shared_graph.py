# Two losses share the encoder's graph: the first backward has to keep it.
import torch


def train(encoder, head_a, head_b, loader):
    params = [*encoder.parameters(), *head_a.parameters(), *head_b.parameters()]
    opt = torch.optim.Adam(params)
    for x, ya, yb in loader:
        z = encoder(x)
        loss_a = torch.nn.functional.mse_loss(head_a(z), ya)
        loss_b = torch.nn.functional.mse_loss(head_b(z), yb)
        opt.zero_grad()
        loss_a.backward(retain_graph=True)
        loss_b.backward()
        opt.step()
