# Every n batches the validation starts with a break, the step is unconditional.
import torch


def train(net, loader, validate, patience=3, every=100):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    best, bad = float("inf"), 0
    for i, (x, y) in enumerate(loader):
        loss = torch.nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        opt.zero_grad()
        if (i + 1) % every == 0:
            score = validate(net)
            bad = 0 if score < best else bad + 1
            best = min(best, score)
            if bad == patience:
                break
