"""LBFGS evaluates the loss itself; its branch cannot clip."""
import torch


def fit(model, loader, use_lbfgs, max_norm=1.0):
    optimizer = torch.optim.LBFGS(model.parameters()) if use_lbfgs else torch.optim.Adam(model.parameters())
    for x in loader:
        optimizer.zero_grad()

        def closure():
            optimizer.zero_grad()
            loss = model(x).mean()
            loss.backward()
            return loss

        if use_lbfgs:
            optimizer.step(closure)
        else:
            closure()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            optimizer.step()
