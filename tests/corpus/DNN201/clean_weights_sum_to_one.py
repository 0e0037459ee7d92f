# Two views with weights of the objective; one step for each batch.
import torch


def train(net, loader, alpha=0.3):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for strong, weak, y in loader:
        opt.zero_grad()
        for view, weight in ((strong, alpha), (weak, 1 - alpha)):
            loss = weight * torch.nn.functional.cross_entropy(net(view), y)
            loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
