# map_location as keyword and by position.
import torch


def resume(model, opt, rank):
    model.load_state_dict(torch.load("model.pt", map_location=f"cuda:{rank}", weights_only=True))
    opt.load_state_dict(torch.load("opt.pt", "cpu"))


def train(model, loader, rank):
    model.to(f"cuda:{rank}")
    opt = torch.optim.Adam(model.parameters())
    resume(model, opt, rank)
    for x in loader:
        opt.zero_grad()
        model(x.to(f"cuda:{rank}")).mean().backward()
        opt.step()
