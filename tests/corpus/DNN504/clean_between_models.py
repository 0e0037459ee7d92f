# Between two models of a comparison.
import torch

from rugs import candidates, loader


def train(model):
    opt = torch.optim.Adam(model.parameters())
    for x in loader():
        opt.zero_grad()
        model(x.cuda()).backward()
        opt.step()


for build in candidates:
    network = build().cuda()
    train(network)
    del network
    torch.cuda.empty_cache()
