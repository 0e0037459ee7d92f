# The helper is named after gradients, but only computes their norm for the log.
import torch


def total_grad_norm(model):
    squares = [p.grad.detach().pow(2).sum() for p in model.parameters() if p.grad is not None]
    return torch.stack(squares).sum().sqrt()


def train(model, loader, epochs):
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for _ in range(epochs):
        for seq, label in loader:
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(model(seq), label)
            loss.backward()
            norm = total_grad_norm(model)
            opt.step()  # expect: DNN301
            print(f"loss {loss.item():.3f} grad norm {norm.item():.3f}")
