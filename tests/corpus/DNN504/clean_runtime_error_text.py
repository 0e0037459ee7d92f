# The older form: the text of a RuntimeError.
import torch


def step(model, opt, x):
    try:
        opt.zero_grad()
        model(x).backward()
        opt.step()
    except RuntimeError as error:
        if "out of memory" not in str(error):
            raise
        torch.cuda.empty_cache()


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for x in loader:
        step(model, opt, x.cuda())
