# The switch is a constant of the file.
import torch

KEEP = False


def train(model, loader):
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for x, y in loader:
        opt.zero_grad(set_to_none=KEEP)  # expect: DNN506
        loss = torch.nn.functional.mse_loss(model(x), y)
        loss.backward()
        opt.step()
