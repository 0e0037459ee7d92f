# Of two optimizers only one is in the checkpoint that is resumed from.
import os

import torch

from toys import Critic, Generator, photos

G, D = Generator(), Critic()
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
epoch = 0
if os.path.exists("gan.pt"):
    c = torch.load("gan.pt", map_location="cpu", weights_only=True)
    G.load_state_dict(c["G"])
    D.load_state_dict(c["D"])
    opt_g.load_state_dict(c["opt_g"])
    epoch = c["epoch"]
while epoch < 50:
    for real in photos():
        fake = G(torch.randn(len(real), 64))
        opt_d.zero_grad()
        (D(fake.detach()) - D(real)).mean().backward()
        opt_d.step()
        opt_g.zero_grad()
        (-D(fake).mean()).backward()
        opt_g.step()
    epoch += 1
    state = {"G": G.state_dict(), "D": D.state_dict(), "opt_g": opt_g.state_dict(), "epoch": epoch}  # expect: DNN702
    torch.save(state, "gan.pt")
