# Plain descent written out; the gradient is zeroed in place.
import torch

w = torch.zeros(10, requires_grad=True)
b = torch.zeros(1, requires_grad=True)

from points import batches  # noqa: E402

for x, y in batches():
    loss = ((x @ w + b - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for p in (w, b):
            p -= 0.01 * p.grad
            p.grad.zero_()
