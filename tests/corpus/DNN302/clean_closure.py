# Inside the closure the order is right.
import torch


def solve(model, batch, rounds):
    opt = torch.optim.LBFGS(model.parameters())

    def closure():
        opt.zero_grad()
        loss = model(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        return loss

    for _ in range(rounds):
        print(opt.step(closure).item())
