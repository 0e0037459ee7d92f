# Two networks with a graph each; both keep theirs for nothing.
import torch


def train(left, right, loader):
    opt_l = torch.optim.Adam(left.parameters())
    opt_r = torch.optim.Adam(right.parameters())
    for a, b in loader:
        loss_l = left(a).pow(2).mean()
        opt_l.zero_grad()
        loss_l.backward(retain_graph=True)  # expect: DNN505
        opt_l.step()

        loss_r = right(b).abs().mean()
        opt_r.zero_grad()
        loss_r.backward(retain_graph=True)  # expect: DNN505
        opt_r.step()
