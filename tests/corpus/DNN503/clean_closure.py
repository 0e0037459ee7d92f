# Cleared in the closure.
import torch


def solve(model, x, y):
    opt = torch.optim.LBFGS(model.parameters(), line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        return loss

    for i in range(100):
        print(i, opt.step(closure).item())
