# There is neither a scheduler nor a scaler to save.
import os

import torch


def main(model, loader):
    opt = torch.optim.Adam(model.parameters())
    start = 0
    if os.path.exists("c.pt"):
        c = torch.load("c.pt", map_location="cpu", weights_only=True)
        model.load_state_dict(c["m"])
        opt.load_state_dict(c["o"])
        start = c["e"] + 1
    for epoch in range(start, 9):
        for x in loader:
            opt.zero_grad()
            model(x).mean().backward()
            opt.step()
        torch.save({"m": model.state_dict(), "o": opt.state_dict(), "e": epoch}, "c.pt")
