# A loop over the heads of one batch: the objective is the sum of the terms.
import torch


def multitask_step(trunk, heads, batch, targets, optimizer):
    optimizer.zero_grad()
    features = trunk(batch)
    leaf = features.detach().requires_grad_()
    for name, head in heads.items():
        loss = head.loss(leaf, targets[name])
        loss.backward()
    features.backward(leaf.grad)
    torch.nn.utils.clip_grad_norm_(trunk.parameters(), 1.0)
    optimizer.step()


def train(trunk, heads, loader):
    params = list(trunk.parameters())
    for head in heads.values():
        params += list(head.parameters())
    optimizer = torch.optim.Adam(params, lr=1e-4)
    for batch, targets in loader:
        multitask_step(trunk, heads, batch, targets, optimizer)
