# The attack needs the gradient of the input; the final forward is without a graph.
import torch


def robust_accuracy(model, loader, eps=8 / 255):
    model.eval()
    hits = 0
    for x, y in loader:
        x = x.cuda().requires_grad_(True)
        y = y.cuda()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        (grad,) = torch.autograd.grad(loss, x)
        attacked = (x + eps * grad.sign()).clamp(0, 1).detach()
        with torch.no_grad():
            hits += (model(attacked).argmax(1) == y).sum().item()
    return hits


def train(model, loader, test_loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(20):
        model.train()
        for x, y in loader:
            opt.zero_grad()
            torch.nn.functional.cross_entropy(model(x.cuda()), y.cuda()).backward()
            opt.step()
        print(robust_accuracy(model, test_loader))
